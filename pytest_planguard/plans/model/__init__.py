"""The neutral plan: every format is read into it, and every rule checks it."""
