"""Data with a hole in the place of each part that breaks the schema."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, NoReturn

if TYPE_CHECKING:
    from ...document.path import Path
    from ..finding import Finding


class Stopped(BaseException):
    """A check has touched a part that is not sound."""


def _stop(*_: Any, **__: Any) -> NoReturn:
    raise Stopped


class Hole:
    """Stands for a part that breaks the schema. Whatever is done with it, but for a look at its type, raises `Stopped`.

    A check does not get hold of it by the methods of a dict or list, see `guarded`. Code in C may.
    """

    __slots__ = ()
    __hash__ = object.__hash__  # pydantic asks for it before it takes a default
    __repr__ = __str__ = __format__ = __bool__ = __len__ = __iter__ = __contains__ = __getitem__ = _stop
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _stop
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __mod__ = _stop
    __int__ = __float__ = __index__ = __round__ = __neg__ = __abs__ = __reduce_ex__ = _stop


class Shut(Hole):
    """Stands for an answer of which nothing is sound. Not even its type can be asked for.

    Each is made when it is needed: whatever looks through modules would stumble over one that lies there.
    """

    __slots__ = ()

    @property  # type: ignore[misc]
    def __class__(self) -> NoReturn:  # type: ignore[override]
        raise Stopped

    def __getattr__(self, name: str) -> NoReturn:
        raise Stopped


HOLE: Final = Hole()
_EXTRA = "extra"
"""Code of a member that must not be there: the sound answer is the one without it."""
_MISSING = "missing"


def cut(data: Any, broken: Iterable[Finding]) -> Any:
    """Return the data with a hole at the place of each finding, and without members that must not be there.

    The data itself is left as it is; what is sound in it is shared.
    """
    for item in broken:
        data = _cut_at(data, item.path, item.code)
    return data


def _cut_at(data: Any, path: Path, code: str) -> Any:
    """Return a copy along one path. A path that leads nowhere ends in a hole at the last place that is there."""
    if data is HOLE:
        return HOLE
    if not path:
        return HOLE
    step, rest = path[0], path[1:]
    if isinstance(data, dict) and isinstance(step, str):
        if not rest and code == _EXTRA:
            return {key: value for key, value in data.items() if key != step}
        if step in data:
            return {**data, step: _cut_at(data[step], rest, code)}
        return {**data, step: HOLE} if not rest and code == _MISSING else HOLE
    if isinstance(data, list) and isinstance(step, int) and 0 <= step < len(data):
        return [*data[:step], _cut_at(data[step], rest, code), *data[step + 1 :]]
    return HOLE


def has_hole(data: Any) -> bool:
    """Return whether some part of plain data is a hole."""
    stack: list[Sequence[Any]] = [(data,)]
    while stack:
        for value in stack.pop():
            if value is HOLE:
                return True
            if isinstance(value, dict):
                stack.append(tuple(value.values()))
            elif isinstance(value, list):
                stack.append(value)
    return False
