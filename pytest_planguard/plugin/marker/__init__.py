"""`@pytest.mark.planguard(...)`: its arguments, and the cases that it creates."""
