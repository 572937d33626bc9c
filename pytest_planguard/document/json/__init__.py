"""JSON in an answer: find it, parse it strictly, say in plain words why a text is no JSON."""
