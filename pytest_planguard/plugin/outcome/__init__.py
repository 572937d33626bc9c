"""The end of a marked test: judge its conversations, and name every problem."""
