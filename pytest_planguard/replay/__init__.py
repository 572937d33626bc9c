"""vcrpy cassettes, the gate that decides which recorded answer fits, redaction, drift."""
