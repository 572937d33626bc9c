"""Logs of production traffic for `planguard check`: its options, its figures, and what judges them."""
