"""The differences between two JSON values, field by field."""
