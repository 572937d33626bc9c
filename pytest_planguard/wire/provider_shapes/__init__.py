"""Shapes that several providers share: content parts, declared tools, errors."""
