"""Parts of a running marked test: guards, an endpoint for child processes, command shims, its cassette."""
