"""Tests under `@pytest.mark.vcr`, whose cassettes pytest-recording or pytest-vcr opens."""
