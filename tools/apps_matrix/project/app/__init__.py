"""The apps: what they ask for, how they word what is wrong, and who sends it where."""
