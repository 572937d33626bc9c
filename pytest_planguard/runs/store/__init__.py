"""Runs on disk: the store, its records, a session's journal, git revisions, atomic writes."""
