"""Snapshots: their text, and those that did not match when their tests last ran."""
