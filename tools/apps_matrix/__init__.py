"""Small apps that word their feedback in many ways: correct, with one finding dropped, or with a constant text."""
