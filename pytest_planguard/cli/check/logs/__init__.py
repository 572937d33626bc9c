"""`planguard check` for logs of production traffic: options, judging, and the summary."""
