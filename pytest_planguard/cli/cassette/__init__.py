"""`planguard cassette`: what is done to cassettes, and with them."""
