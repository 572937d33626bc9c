"""Decide if the next request feeds back a finding: by its place, its words or its rule."""
