"""Cassettes of frameworks and SDKs, made by tools/frameworks, judged without installing any of them."""
