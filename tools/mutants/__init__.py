"""Mutation testing of planguard's code: small changes that some test must notice (`make mutants`)."""
