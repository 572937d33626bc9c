"""A running test's cassette: open it, limit its size, refuse unsafe recordings, record it again, clean up."""
