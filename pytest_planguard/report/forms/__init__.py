"""Draw a page as text, as Markdown and as HTML."""
