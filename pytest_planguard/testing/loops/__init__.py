"""Scripted models whose answers depend on what a request feeds back, and the proof of a retry loop against them."""
