"""The project; its files are copied as they are, next to cassettes of one app."""
