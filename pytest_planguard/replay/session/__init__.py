"""A cassette in use while a test runs: requests answered or refused, live exchanges recorded."""
