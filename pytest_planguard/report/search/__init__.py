"""A search as text and as a picture; an experiment as tables."""
