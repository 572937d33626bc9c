"""Nested or repeated unions: judge each alternative once for each value, however deep the answer is."""
