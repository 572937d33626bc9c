"""Recorded answers served on 127.0.0.1, as the SDKs fetch and read them."""
