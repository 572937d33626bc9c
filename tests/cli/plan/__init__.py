"""What the command `planguard cassette` does."""
