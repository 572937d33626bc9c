"""The comparison of two runs in every form: terminal, Markdown, HTML, JSON, JUnit, GitHub, SARIF."""
