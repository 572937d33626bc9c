"""Plan files as tests: which files, how they are judged, their rows."""
