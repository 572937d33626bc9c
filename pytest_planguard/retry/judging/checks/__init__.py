"""The named checks over one conversation, one function each."""
