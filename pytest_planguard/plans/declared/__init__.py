"""Plan formats that a YAML file describes: its allowed content, and the readers that use it."""
