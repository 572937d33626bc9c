"""Score an answer against expected values: comparators for fields, list alignment, and the score."""
