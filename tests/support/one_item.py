"""Many cases in one test: what pytest does around a test takes longer than most cases do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from itertools import product
from typing import Any

import pytest


def in_one_item(test: Callable[..., None]) -> Callable[[], None]:
    """Run all cases of `pytest.mark.parametrize` in one test, which fails with all that fail; a case may skip itself.

    The cases share what an autouse fixture gives, and take no other fixture.
    """
    marks: list[pytest.Mark] = test.pytestmark  # type: ignore[attr-defined]
    tables = [mark.args for mark in marks if mark.name == "parametrize"]

    @wraps(test)
    def all_cases() -> None:
        failed: list[BaseException] = []
        for case in _cases(tables):
            try:
                test(**case)
            except pytest.skip.Exception:
                continue
            except (Exception, pytest.fail.Exception) as error:
                error.add_note(f"in the case {case!r:.300}")
                failed.append(error)
        if failed:
            raise BaseExceptionGroup(f"{len(failed)} cases failed", failed)

    del all_cases.__wrapped__  # pytest would read the names of fixtures from its arguments
    all_cases.pytestmark = [mark for mark in marks if mark.name != "parametrize"]  # type: ignore[attr-defined]
    return all_cases


def _cases(tables: list[Any]) -> Iterator[dict[str, Any]]:
    """Yield the arguments of each case: `("a, b", [(1, 2)])` gives `{"a": 1, "b": 2}`."""
    for rows in product(*(values for _, values in tables)):
        case: dict[str, Any] = {}
        for (names, _), row in zip(tables, rows, strict=True):
            several = [name.strip() for name in names.split(",")] if isinstance(names, str) else names
            given = row.values if isinstance(row, type(pytest.param())) else row
            alone = len(several) == 1 and given is row
            case.update(zip(several, (given,) if alone else given, strict=True))
        yield case
