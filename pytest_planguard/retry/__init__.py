"""Retries: links between exchanges, what each retry fed back, the judgement of a conversation, the driven loop."""
