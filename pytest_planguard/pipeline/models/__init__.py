"""Which model to ask for a task: what each did so far, in which order to try them, and the attempts themselves."""
