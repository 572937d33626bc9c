"""Text around and between documents: fences, thinking blocks, prose, Markdown, names and words."""
