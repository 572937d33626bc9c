"""The parts that every command uses: command groups, shared options, and the only functions that print."""
