"""What a marked test sets up while it runs: guards, an endpoint for child processes, command shims, its cassette."""
