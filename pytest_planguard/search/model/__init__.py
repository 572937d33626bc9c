"""The values of a search: steps, budgets, configuration, nodes and results."""
