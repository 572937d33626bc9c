"""Whether retries converge: links between exchanges, what a retry fed back, the judgement, the driven loop."""
