"""Answers that the app is given in the place of the recorded one: without a finding, or with another error."""
