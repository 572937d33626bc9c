"""Orders out of e-mails: an app, its contract, and cases that say what is right."""
