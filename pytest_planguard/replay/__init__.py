"""Record and replay vcrpy cassettes: choose the recorded answer for a request, redact secrets, find stale ones."""
