"""The structural rules: one small pure generator each, listed in `catalogue`."""
