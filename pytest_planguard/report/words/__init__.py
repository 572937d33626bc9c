"""Words and phrases that reports share: comparisons, changed values, known failures."""
