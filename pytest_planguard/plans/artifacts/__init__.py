"""Schemas of YAML plan artifacts: what must be there, of which type, out of which words."""
