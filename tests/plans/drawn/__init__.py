"""Draws of findings in plans of public repositories, and what was read of each."""
