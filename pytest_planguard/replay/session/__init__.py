"""A cassette that is open while a test runs: it answers or refuses requests, and records live exchanges."""
