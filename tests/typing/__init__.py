"""What type checkers say about the public names."""
