"""Proposed contracts and mutants of good answers, whole."""
