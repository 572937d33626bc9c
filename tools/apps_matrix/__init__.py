"""Small apps that word their feedback in many ways, each right, with one finding dropped, or with a constant text."""
