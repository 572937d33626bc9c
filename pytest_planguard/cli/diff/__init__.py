"""`planguard diff`: two runs, variants, folders or git revisions compared, and a gate over the comparison."""
