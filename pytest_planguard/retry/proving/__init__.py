"""Proof by experiment: give the app an answer without one finding, and look at its next request."""
