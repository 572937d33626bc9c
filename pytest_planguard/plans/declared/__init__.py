"""Plan formats that a user describes in a YAML file: the file's schema, and parsers built from it."""
