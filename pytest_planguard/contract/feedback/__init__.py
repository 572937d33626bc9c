"""Feedback for retries: turn findings into text in one of several styles, and build the next request's messages."""
