"""Small apps around a small real model, their contract tests, and the recordings of what the model said."""
