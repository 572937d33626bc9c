"""Which earlier exchange a request reacts to, and what it says that is new."""
