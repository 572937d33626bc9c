"""Load a run from any source that the user names: a saved run, answers, cassettes, or another tool's results."""
