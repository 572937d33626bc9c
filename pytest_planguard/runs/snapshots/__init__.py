"""Snapshots: their text, and the list of snapshots that did not match in the last test run."""
