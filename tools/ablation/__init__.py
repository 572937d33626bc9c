"""What each part of the reading side is worth: it is taken out, and the verdicts on all open texts are compared."""
