"""Sizes of the benchmarks. With `--smoke` each takes the smallest: that shows whether it runs, not what it costs."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

_Size = TypeVar("_Size")
SMOKE = "--smoke" in sys.argv
if SMOKE:
    sys.argv.remove("--smoke")


def size(full: _Size, smallest: _Size) -> _Size:
    """Return the size to take; no figure of the smallest one counts."""
    return smallest if SMOKE else full


def verdict(failed: bool) -> int:
    """Return the exit code: 1 where a figure is not as wanted."""
    return int(failed and not SMOKE)


def byte_code(root: Path) -> Mapping[str, str]:
    """Return the variables by which sessions keep their byte code in a folder, as they do where it is installed."""
    return size({"PYTHONPYCACHEPREFIX": str(root / "byte-code")}, {})
