"""Feedback in a request, read as errors: a place, a code, a message."""
