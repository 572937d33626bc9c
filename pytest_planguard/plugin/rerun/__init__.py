"""Run a test function again: if it may, on which fixtures, and without leaving a trace."""
