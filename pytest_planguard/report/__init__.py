"""Render values for people. Renderers decide nothing."""
