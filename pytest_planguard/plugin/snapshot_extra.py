"""Whether the extra that snapshots need is there; told before anything of it is imported."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

import pytest

LOWEST = 7
"""The first major version of syrupy whose extensions work as ours does."""
INSTALL = 'pip install "pytest-planguard[snapshot]"'


def require_syrupy() -> None:
    """Fail the test with the command to type where syrupy is missing or too old."""
    try:
        found = version("syrupy")
    except PackageNotFoundError:
        pytest.fail(f"planguard_snapshot needs syrupy, which is not installed: {INSTALL}", pytrace=False)
    if int(found.partition(".")[0]) < LOWEST:
        pytest.fail(f"planguard_snapshot needs syrupy {LOWEST} or later, and {found} is here: {INSTALL}", pytrace=False)
