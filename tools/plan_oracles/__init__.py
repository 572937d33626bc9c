"""Planguard's verdicts on plans beside those of the tools that write them."""
