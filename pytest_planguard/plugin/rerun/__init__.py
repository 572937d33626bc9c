"""The body of a test runs again: whether it may, on which fixtures, and how it leaves no trace."""
