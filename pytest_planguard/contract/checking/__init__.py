"""The check of one answer: as a document, by its schema, and by constraints and rules."""
