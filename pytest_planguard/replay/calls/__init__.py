"""Call tapes: record and replay the calls of a function that asks a model, instead of its HTTP traffic."""
