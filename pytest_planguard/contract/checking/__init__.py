"""The check of one answer: what it is as a document, by its schema, and by constraints and rules."""
