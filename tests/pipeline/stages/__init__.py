"""Tests of `pytest_planguard.pipeline.stages`."""
