"""A contract proposed from example answers: shapes, a pydantic schema, constraints, a first test."""
