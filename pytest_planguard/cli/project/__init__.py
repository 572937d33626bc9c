"""Commands that write into a project: its first files, its CI, cassettes put back or recovered."""
