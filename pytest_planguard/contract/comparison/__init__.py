"""How right an answer is: comparators for its fields, the alignment of lists, and the score."""
