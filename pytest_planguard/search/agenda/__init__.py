"""The search itself: open prefixes, the order in which they are tried, and the loop over them."""
