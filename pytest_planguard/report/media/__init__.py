"""What a terminal, a page, Markdown and JSON need so that hostile text is safe in them."""
