"""Plan formats that a YAML file describes: what it may say, and how documents are read by it."""
