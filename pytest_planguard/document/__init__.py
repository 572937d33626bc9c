"""What the model wrote: extraction, JSON, YAML and Markdown with positions, and paths into them."""
