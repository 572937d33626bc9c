"""How strong a contract is, as text, Markdown, JSON and a page."""
