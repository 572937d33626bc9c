"""Helpers for testing code that uses planguard, and planguard itself."""
