"""Phrases that several reports share: comparisons, changed values, known failures."""
