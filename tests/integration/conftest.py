"""Fixtures that many integration tests share."""

import pytest

from ..support.lookalike import Lookalike
from .projects import script


@pytest.fixture
def server(lookalike: Lookalike) -> Lookalike:
    """A look-alike that knows the tasks of `script`."""
    return script(lookalike)
