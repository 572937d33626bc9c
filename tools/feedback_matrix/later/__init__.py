"""A later draw: validators, catalogues' other messages, phrases and hand wordings that no reader has met."""

SEED = 261122212
"""Orders the sources, and holds a third of each group out (see `trials`). Set before anything was measured."""
