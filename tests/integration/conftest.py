"""Fixtures for the integration tests."""

import pytest

from ..support.lookalike import Lookalike
from .projects import script


@pytest.fixture
def server(lookalike: Lookalike) -> Lookalike:
    """Start a look-alike that knows the tasks of `script`."""
    return script(lookalike)
