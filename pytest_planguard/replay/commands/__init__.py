"""Commands that a test runs: a shim that is first on PATH records the real program or replays its output."""
