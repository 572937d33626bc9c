"""Plans as contracts: one neutral plan model, a profile per format, structural rules with exact places."""
