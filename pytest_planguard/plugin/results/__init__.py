"""What a session reports: rows, the kept run, the section in the terminal, known failures."""
