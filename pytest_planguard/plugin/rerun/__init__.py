"""Rerun a test function: decide if that is safe, rebuild its fixtures, and undo its side effects."""
