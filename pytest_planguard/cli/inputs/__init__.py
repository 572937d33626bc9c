"""The inputs of a command: paths, files, answers, contracts."""
