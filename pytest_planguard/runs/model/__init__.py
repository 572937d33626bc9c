"""The values of a run: its header, its cases, their answers, and rows as plain data."""
