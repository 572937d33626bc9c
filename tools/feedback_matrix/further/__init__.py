"""A further draw of texts: validators of Python that no earlier draw and no reader has met (see draw.py).

The candidates and the seed were committed before any of them was run.
"""

SEED = 2611230244
"""Orders the candidates, and splits them: a third is held out."""
