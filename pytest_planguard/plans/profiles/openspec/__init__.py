"""OpenSpec: a change's tasks.md, its proposal, its spec deltas, and the specs that stand."""
