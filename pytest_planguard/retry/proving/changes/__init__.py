"""Changed answers for an experiment: one finding repaired, swapped for another, or moved to another item."""
