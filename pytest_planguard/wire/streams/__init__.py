"""Streamed bodies as JSON objects: server-sent events, one object a line, AWS event frames."""
