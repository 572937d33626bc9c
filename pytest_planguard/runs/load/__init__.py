"""Load a run from a source that the user names: a kept run, answers, cassettes, results of other tools."""
