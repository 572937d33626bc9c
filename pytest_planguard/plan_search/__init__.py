"""Plan search: run a pipeline of guarded steps, with feedback, backtracking and budgets."""
