"""Call tapes: calls of a function that asks a model, recorded and replayed at its boundary."""
