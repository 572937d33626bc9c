"""Grades of findings once the feedback has been read: which answer they belong to, and equal words elsewhere."""
