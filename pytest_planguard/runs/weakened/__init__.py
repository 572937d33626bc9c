"""Find answers that a pull request's contracts accept but the contracts on its base branch reject."""
