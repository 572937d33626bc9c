"""Collect plan files as tests: find the files, judge them, and add their results to the run."""
