"""The judgement of a conversation: its attempts, the named checks, the outcome."""
