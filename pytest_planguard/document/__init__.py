"""Extract the document from a model's answer, parse it with positions, and address its parts by path."""
