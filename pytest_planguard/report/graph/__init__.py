"""The graph of a plan as a picture."""
