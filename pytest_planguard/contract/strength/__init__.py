"""The strength of a contract: mutants of good answers, those it accepts, and constraints that would reject them."""
