"""`@pytest.mark.planguard(...)`: its arguments, the cases that it makes, and their identity."""
