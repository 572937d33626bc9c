"""Keys in a text, by what they look like."""
