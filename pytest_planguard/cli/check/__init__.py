"""`planguard check`: judge cassettes, answers and plan files without running the app."""
