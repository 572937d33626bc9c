"""The driven loop: ask, judge, feed back, ask again, until the answer meets the contract or the budget is spent."""
