"""Commands that write into a project: starter files, a CI job, or a demo."""
