"""Clients in other languages, recorded through the endpoint and replayed: `make clients`."""
