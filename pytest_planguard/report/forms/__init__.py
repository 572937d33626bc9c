"""Render a page as text, Markdown or HTML."""
