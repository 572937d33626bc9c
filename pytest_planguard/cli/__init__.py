"""The command line: planguard."""
