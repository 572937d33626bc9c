"""The loopback endpoint: it answers requests of children and other languages from the cassette, or records them."""
