"""The recorded answer that fits a request, and the differences of a request that fits none."""
