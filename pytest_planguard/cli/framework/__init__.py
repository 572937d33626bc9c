"""What every command is built from: groups, shared options, and the one way to print."""
