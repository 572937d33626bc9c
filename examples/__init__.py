"""Small apps around a small real model, their contract tests, and the cassettes of what the model said."""
