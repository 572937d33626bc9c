"""Documents in each format: found in an answer, read with places, and what is wrong with them in plain words."""
