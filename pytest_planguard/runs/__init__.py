"""Runs kept, compared and gated: records, store, field and run diffs, baseline. Only here deepdiff is imported."""
