"""`@pytest.mark.planguard(Model)` marks the class `Model`, not the test: pytest's rule for a mark with one class.

The class is then called with the test, which fails while the module is imported, in words that explain nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

_USE = re.compile(r"@(?:[\w.]+\.)?planguard\(\s*([A-Za-z_][\w.]*)\s*,?\s*\)")


def explain(report: pytest.CollectReport) -> None:
    """Add what to write to the report of a module that could not be collected; nothing where that is not the cause."""
    text = str(report.longrepr)
    used = _USE.search(text)
    if used is None or "Error" not in text:
        return
    name = used[1]
    hint = (
        f"planguard: @pytest.mark.planguard({name}) with a class alone marks that class, not the test (a rule of "
        f"pytest's marks). Write @pytest.mark.planguard(Contract({name}))"
    )
    if isinstance(getattr(report.longrepr, "longrepr", None), str):
        report.longrepr.longrepr += f"\n{hint}"  # type: ignore[union-attr]  # the last line that a reader sees
    else:
        report.sections.append(("planguard", hint))
