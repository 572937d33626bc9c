"""YAML in an answer: find it, load it as plain data with places, say in plain words why a text is no YAML."""
