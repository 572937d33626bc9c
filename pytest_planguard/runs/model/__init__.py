"""The data types of a run (header, case, answer), and their conversion to and from plain data."""
