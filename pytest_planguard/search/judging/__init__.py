"""Whether the requests of a step say what was wrong: by its own guard, one channel of feedback at a time."""
