"""The functions of planguard that a process has loaded."""

from __future__ import annotations

import gc
from collections import defaultdict
from types import FunctionType


def loaded_functions() -> dict[tuple[str, str, int], list[FunctionType]]:
    """Return every loaded function of planguard by file, name and first line, but those that gc has frozen."""
    loaded: dict[tuple[str, str, int], list[FunctionType]] = defaultdict(list)
    for one in gc.get_objects():
        # Not `isinstance`: it asks a lazy module for its class, and the module loads, which takes a second.
        if type(one) is FunctionType and "pytest_planguard" in one.__code__.co_filename:
            code = one.__code__
            loaded[code.co_filename, code.co_qualname, code.co_firstlineno].append(one)
    return loaded
