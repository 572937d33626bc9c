"""Generated inputs for every public entry, and the growth of its cost with hostile ones (`make fuzz`)."""
