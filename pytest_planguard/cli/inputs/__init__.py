"""Read a command's inputs: paths, files, answers, contracts."""
