"""Commands that write into a project: its first files, its CI, recordings put back or recovered."""
