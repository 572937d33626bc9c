"""Commands that a test runs. A shim, first on PATH, records the real program's output or replays it."""
