"""Logs of production traffic: which formats are known, and how each becomes exchanges."""
