"""Bodies made of a dialect's own words in the wrong places: what a hostile or broken provider could send."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any

from hypothesis import strategies as st

from pytest_planguard.wire.dialect import Dialect

_WORD = re.compile(r"[\w.$-]{1,40}")
_SHARED = {"base", "registry", "exchange", "shapes"}


def hostile_bodies(dialect: Dialect) -> st.SearchStrategy[dict[str, Any]]:
    """JSON objects whose keys and strings are words that the dialect's own modules compare with."""
    known = sorted(set(_literals(type(dialect).__module__, set())))
    words = st.sampled_from([*known, "[", "{}", '{"a": 1}'])
    values = st.recursive(
        st.none() | st.booleans() | st.integers(-2, 3) | st.just(0.5) | words,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=5),
        max_leaves=12,
    )
    return st.dictionaries(words, values, max_size=4)


def _literals(module: str, seen: set[str]) -> Iterator[str]:
    """The string constants of a module and of its siblings that it imports."""
    if module in seen or module not in sys.modules:
        return
    seen.add(module)
    words, siblings = _own(module)
    yield from words
    for sibling in siblings:
        yield from _literals(f"{module.rpartition('.')[0]}.{sibling}", seen)


@cache  # several dialects import the same sibling
def _own(module: str) -> tuple[list[str], list[str]]:
    """The string constants of a module, and the names of the siblings that it imports."""
    nodes = [*ast.walk(ast.parse(inspect.getsource(sys.modules[module])))]
    texts = (node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))
    imports = (node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.level == 1)
    return [text for text in texts if _WORD.fullmatch(text)], [str(name) for name in imports if name not in _SHARED]
