"""Wordings of single source systems, word for word. Nothing else depends on them."""
