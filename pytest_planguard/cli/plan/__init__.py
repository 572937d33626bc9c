"""The commands for plan files: judge, fix and explain them, and judge them for a coding agent."""
