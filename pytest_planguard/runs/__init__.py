"""Keep, compare and gate runs: records, store, field and run diffs, baseline. Only this package imports deepdiff."""
