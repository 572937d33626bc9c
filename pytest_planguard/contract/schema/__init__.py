"""A contract's schema: a pydantic model, any type, or a JSON Schema. Validation errors become findings."""
