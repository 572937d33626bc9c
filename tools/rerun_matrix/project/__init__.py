"""The project; its files are copied as they are, next to recordings of one app."""
