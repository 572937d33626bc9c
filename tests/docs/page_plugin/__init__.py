"""A plugin for the projects of pages alone."""
