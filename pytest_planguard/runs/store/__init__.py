"""Runs on disk: the store, records, the journal of a session, git revisions, atomic files."""
