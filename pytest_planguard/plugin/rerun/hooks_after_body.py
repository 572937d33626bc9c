"""Hooks of a project that use the fixtures of a test when its body is done: a further run has torn those down.

`item.funcargs["browser"].screenshot()` in `pytest_runtest_makereport` is the common one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .kept_reports import HOOK, project_hooks

if TYPE_CHECKING:
    from collections.abc import Iterator

_HOOKS = (HOOK, "pytest_exception_interact", "pytest_runtest_teardown")
_FOUND: pytest.StashKey[str | None] = pytest.StashKey()


def needs_fixtures_after_body(config: pytest.Config) -> str | None:
    """Return 'pytest_runtest_makereport of conftest.py' where its code names `funcargs`; None where none does."""
    if _FOUND not in config.stash:
        config.stash[_FOUND] = next(_using(config), None)
    return config.stash[_FOUND]


def _using(config: pytest.Config) -> Iterator[str]:
    for hook in _HOOKS:
        for _, function in project_hooks(config, hook):
            code = function.__code__
            if "funcargs" in code.co_names:
                yield f"{hook} of {code.co_filename.removeprefix(f'{config.rootpath}/')}"
