"""One reader per format: find the document in an answer, parse it with positions, and explain syntax errors."""
