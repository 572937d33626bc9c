"""Commands that a test runs: a program of ours stands first on PATH, records the real one or prints it again."""
