"""Compare two runs: pair their cases, judge both with one contract, classify the changes and test them."""
