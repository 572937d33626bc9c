"""Judge plans by rules and by a project's policy, one file or one folder at a time."""
