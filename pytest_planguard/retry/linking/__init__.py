"""Which earlier exchange a request reacts to, and which of its words are new."""
