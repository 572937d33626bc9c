"""Render results for people. A renderer never decides if something passes."""
