"""Recorded answers by step, prefix, feedback and index."""
