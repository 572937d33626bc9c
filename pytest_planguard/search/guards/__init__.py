"""Guards for the last step of a planning pipeline."""
