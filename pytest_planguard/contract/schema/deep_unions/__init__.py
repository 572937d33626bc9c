"""Validate nested or repeated unions: try each alternative once per value, at any depth of the answer."""
