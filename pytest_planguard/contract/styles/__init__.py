"""How feedback is worded: one module a style, each a pure function from findings to text, and the parser beside it."""
