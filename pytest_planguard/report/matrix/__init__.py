"""What each model did at each task."""
