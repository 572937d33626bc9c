"""What comparisons of runs come to, whole."""
