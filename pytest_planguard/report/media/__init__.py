"""Make hostile text safe in a terminal, on a page, in Markdown and in JSON."""
