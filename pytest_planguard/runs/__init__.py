"""Store, compare and gate runs: records, diffs, the baseline. No other package imports deepdiff."""
