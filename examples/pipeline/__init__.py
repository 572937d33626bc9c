"""Contracts for each task of a pipeline, and a gate for what a person must decide."""
