"""Rules about the content of an answer, beyond what its schema says."""
