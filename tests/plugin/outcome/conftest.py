"""The case of a running test."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from pytest_planguard.plugin.case import Case
from pytest_planguard.plugin.marker.marker import Spec
from pytest_planguard.plugin.options import Settings

MakeCase = Callable[..., Case]
SPEC = Spec((), 3)


@pytest.fixture
def make_case(request: pytest.FixtureRequest) -> MakeCase:
    """Make a case whose test has asked nothing yet, with these settings."""

    def make(spec: Spec = SPEC, **settings: Any) -> Case:
        case = Case(request.node, spec, Settings(**settings), "key")
        case.threads = frozenset(threading.enumerate())
        return case

    return make
