"""Validators of Python, each with a function `check(schema, document)` that gives its own texts."""
