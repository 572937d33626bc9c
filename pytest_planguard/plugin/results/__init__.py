"""The results of a session: rows, the kept run, the section in the terminal, known failures."""
