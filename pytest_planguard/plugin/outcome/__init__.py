"""The end of a marked test: judge its conversations, and report every problem."""
