"""Snapshots: their text, and those that did not hold when their tests ran last."""
