"""The project that is generated: its modules import each other by bare names, as a user's do."""
