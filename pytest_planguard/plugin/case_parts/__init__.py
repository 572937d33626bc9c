"""What a case holds while its test runs: guards, an endpoint for children, commands, what its cassette shows."""
