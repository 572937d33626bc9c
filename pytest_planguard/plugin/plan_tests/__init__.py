"""Plan files as tests: find the files, judge them, and create their rows."""
