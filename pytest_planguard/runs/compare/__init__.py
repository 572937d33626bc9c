"""Compare two runs: pair their cases, judge both with the same contract, classify and test the changes."""
