"""A run from whatever the user names: a kept run, answers, recordings, result files of other tools."""
