"""What OpenSpec says of small changes with defects, and what we say of them."""
