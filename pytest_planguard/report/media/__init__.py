"""Make hostile text safe to show in a terminal, on a page, in Markdown and in JSON."""
