"""The commands for plan files: judge, fix and explain them, and serve as a hook for a coding agent."""
