"""What went over the wire: exchanges, provider dialects, server-sent events."""
