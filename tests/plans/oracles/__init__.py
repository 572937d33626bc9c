"""The verdicts of the tools that write plans, beside planguard's."""
