"""The format-independent plan: parsers produce it, and rules check it."""
