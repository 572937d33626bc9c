"""Tests of `pytest_planguard.replay.commands`."""
