"""Cassettes on disk: read, write and name them, and keep a journal while recording."""
