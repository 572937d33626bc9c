"""Scripted models whose answers depend on what a request carries, and the proof of a retry loop against them."""
