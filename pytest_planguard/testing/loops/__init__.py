"""Scripted models that react to the feedback in a request, and a check that a retry loop converges with them."""
