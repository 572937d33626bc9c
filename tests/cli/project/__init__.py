"""Commands that write into a project."""
