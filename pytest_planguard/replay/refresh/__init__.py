"""Old cassettes: their age, the command that records again, and envelopes that can be rewritten."""
