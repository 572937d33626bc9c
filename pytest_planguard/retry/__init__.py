"""Whether retries converge: links between exchanges, what a retry carried, the judgement, the driven loop."""
