"""The documentation runs: snippets, consoles, reference tables, links."""
