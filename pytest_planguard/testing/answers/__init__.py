"""Generate answers from a contract: valid answers, near misses, and the text that models wrap around answers."""
