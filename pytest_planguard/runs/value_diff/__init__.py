"""The difference between two JSON values, field by field."""
