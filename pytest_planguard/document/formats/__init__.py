"""Documents in each format: find them in an answer, read them with places, and explain their faults in plain words."""
