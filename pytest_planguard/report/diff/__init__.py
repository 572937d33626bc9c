"""Export a comparison for other programs: as JSON, GitHub annotations, SARIF or JUnit."""
