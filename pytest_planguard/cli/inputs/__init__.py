"""What a command is given: paths, files, answers, contracts."""
