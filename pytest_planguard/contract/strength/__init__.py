"""Measure a contract's strength: mutate good answers, list the mutants it accepts, and suggest constraints."""
