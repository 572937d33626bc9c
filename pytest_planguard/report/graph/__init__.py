"""Draw the graph of a plan as a picture."""
