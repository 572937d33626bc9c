"""The values of a run: its header, cases and answers, and their form as plain data."""
