"""A page as text, as Markdown and as HTML."""
