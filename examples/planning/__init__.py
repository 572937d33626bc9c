"""A planning pipeline of four steps, searched with feedback."""
