"""Remove secrets from an interaction before it is written to disk."""
