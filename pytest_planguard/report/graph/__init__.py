"""Draw a plan's task graph as a picture."""
