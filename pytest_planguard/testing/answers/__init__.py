"""Answers made up from a contract: valid ones, near misses, and the wrappings that models put around them."""
