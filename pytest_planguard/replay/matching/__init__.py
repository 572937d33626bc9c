"""Which recorded answer fits a request that is sent now, and how a request that fits none differs."""
