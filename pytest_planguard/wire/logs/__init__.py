"""Logs of production traffic: a reader for each known format that turns records into exchanges."""
