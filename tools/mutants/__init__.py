"""Mutation testing of our own code: small changes that some test must notice (`make mutants`)."""
