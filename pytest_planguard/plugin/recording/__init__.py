"""The cassette of a running test: open, limit, refuse, record again, clean up."""
