"""Recordings on disk: read, written, named, journalled."""
