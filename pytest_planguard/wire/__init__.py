"""HTTP traffic with model providers: exchanges, provider dialects, server-sent events."""
