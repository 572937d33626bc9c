"""`planguard diff`: compare two runs, variants, folders or git revisions, and gate the comparison."""
