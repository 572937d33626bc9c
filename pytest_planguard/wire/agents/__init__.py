"""Event streams of command-line agents: what `claude` and `codex` print while they work, one JSON object a line."""
