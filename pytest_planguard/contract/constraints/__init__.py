"""Content constraints: rules about an answer beyond its schema."""
