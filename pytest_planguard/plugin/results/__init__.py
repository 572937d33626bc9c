"""A session's results: a row per case, the saved run, the terminal summary, known failures."""
