"""Read a plan document: detect its format, and parse its outline and source."""
