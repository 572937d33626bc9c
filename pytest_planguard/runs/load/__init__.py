"""A run from what the user names: a kept run, answers, cassettes, result files of other tools."""
