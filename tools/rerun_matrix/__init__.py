"""A project with all common features, run with and without reruns, to check that no one can tell the difference."""
