"""The structural rules. Each is a small pure generator, and `catalogue` lists them all."""
