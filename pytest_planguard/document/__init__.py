"""The document in a model's answer: extraction, JSON, YAML and Markdown with positions, and paths into them."""
