"""Plan search: a pipeline of steps, each with a guard, searched with feedback, backtracking and budgets."""
