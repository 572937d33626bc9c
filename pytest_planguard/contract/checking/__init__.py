"""Check one answer: parse it, validate it against the schema, then apply constraints and rules."""
