"""`planguard cassette`: commands that work on cassettes."""
