"""Unions that a schema nests or repeats: judged once for each alternative and value, however deep the answer is."""
