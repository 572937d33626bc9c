"""The parts that every command uses: groups, shared options, and the only way to print."""
