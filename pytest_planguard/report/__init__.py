"""Renderings of values for people. Renderers decide nothing."""
