"""The schema of a contract: pydantic models, any type, or JSON Schema, and their errors as findings."""
