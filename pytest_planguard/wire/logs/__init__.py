"""Logs of production traffic: the known formats, and how each becomes exchanges."""
