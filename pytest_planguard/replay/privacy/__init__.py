"""Secrets leave an interaction before it reaches the disk."""
