"""The loopback endpoint: it answers requests of children and other languages from the recording, or records them."""
