"""Policies compared over problems and trials: rates within budgets, intervals, paired tests."""
