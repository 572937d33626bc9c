"""Judge plans like answers: one format-independent plan model, a parser per format, and rules with exact places."""
