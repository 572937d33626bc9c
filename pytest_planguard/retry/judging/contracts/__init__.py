"""Which contract judges which answer."""
