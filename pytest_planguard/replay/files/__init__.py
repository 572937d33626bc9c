"""Cassettes on disk: read, written, named, journalled."""
