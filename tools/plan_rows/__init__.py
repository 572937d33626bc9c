"""Which test holds each promise about plans of other systems, and how that test was seen to fail."""
