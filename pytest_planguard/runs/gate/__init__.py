"""Decide if a comparison or a run passes: broken rules, known failures, and decisions left to a reviewer."""
