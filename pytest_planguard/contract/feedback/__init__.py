"""Feedback for retries: findings in words, styles of wording, and the messages of the next request."""
