"""The traffic on the wire: exchanges, provider dialects, server-sent events."""
