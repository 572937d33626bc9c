"""Read a plan document: its outline, its format, its source."""
