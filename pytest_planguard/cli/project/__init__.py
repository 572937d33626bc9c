"""Commands that write into a project: its first files and its CI, or a demo."""
