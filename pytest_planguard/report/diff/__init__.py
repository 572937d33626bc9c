"""A comparison for programs: as data, and as annotations for GitHub, SARIF and JUnit."""
