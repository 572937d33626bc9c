"""A project with all that projects have, run with further runs and without: whether anybody can tell the difference."""
