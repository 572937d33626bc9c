"""A run from what the user names: a kept run, answers, recordings, result files of other tools."""
