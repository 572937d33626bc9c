"""Plain data for a user's checks, with a hole for each part that breaks the schema."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final, NoReturn

if TYPE_CHECKING:
    from pydantic import TypeAdapter

    from .finding import Finding


class Stopped(BaseException):
    """A check has touched an invalid part."""


def _stop(*_: object, **__: object) -> NoReturn:
    raise Stopped


class Hole:
    """A stand-in for a part that breaks the schema. Any use of it, except reading its type, raises `Stopped`.

    `guarded` keeps checks from getting one through the methods of a dict or list. Code in C may still get one.
    """

    __slots__ = ()
    __hash__ = object.__hash__  # pydantic needs it before it takes a default
    __repr__ = __str__ = __format__ = __bool__ = __len__ = __iter__ = __contains__ = __getitem__ = _stop
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _stop
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __mod__ = _stop
    __int__ = __float__ = __index__ = __round__ = __neg__ = __abs__ = __reduce_ex__ = _stop


class Shut(Hole):
    """An answer without any valid part. Even reading its type raises `Stopped`.

    Instances are created on demand, because a shared one in a module would break tools that inspect the module.
    """

    __slots__ = ()

    @property  # type: ignore[misc]
    def __class__(self) -> NoReturn:  # type: ignore[override]
        raise Stopped

    def __getattr__(self, name: str) -> NoReturn:
        raise Stopped


HOLE: Final = Hole()
_EXTRA = "extra"
"""The code of a member that must be absent. A valid answer does not have it."""
_MISSING = "missing"


def cut(data: object, broken: Iterable[Finding]) -> Any:
    """Return the data with a hole at the place of each finding, without members that must be absent.

    The data itself does not change, and the result shares its valid parts. Each part is copied once, even if it has
    many findings. A path that leads nowhere makes a hole at the last place that exists.
    """
    root = _Cut()
    for item in broken:
        here = root
        for step in item.path:
            here = here.below.setdefault(step, _Cut())
        here.codes.add(item.code)
    return _cut(data, root)


class _Cut:
    """The findings at one place, and the cuts below it."""

    __slots__ = ("below", "codes")

    def __init__(self) -> None:
        self.below: dict[str | int, _Cut] = {}
        self.codes: set[str] = set()


def _cut(data: object, at: _Cut) -> object:
    if at.codes:
        return HOLE
    if isinstance(data, dict) and all(isinstance(step, str) for step in at.below):
        return _cut_members(data, at.below)
    if isinstance(data, list) and all(isinstance(step, int) and 0 <= step < len(data) for step in at.below):
        items = list(data)
        for step, below in at.below.items():
            items[int(step)] = _cut(items[int(step)], below)
        return items
    return HOLE


def _cut_members(data: dict[str, Any], below: dict[str | int, _Cut]) -> object:
    members = dict(data)
    for step, cuts in below.items():
        key = str(step)
        if key in members:
            members[key] = _cut(members[key], cuts)
        elif cuts.codes != {_MISSING}:
            return HOLE
        else:
            members[key] = HOLE
        if cuts.codes == {_EXTRA}:
            del members[key]
    return members


PLAIN = (str, int, float, bool, type(None), Decimal, Hole)
"""Types to keep as they are. Numbers stay numbers, so that a check can add them up."""


def plain_value(adapter: TypeAdapter[Any], value: object, data: object) -> Any:
    """Return a validated value as plain data under its JSON names: dates, enums and the like as JSON spells them.

    Numbers stay numbers. If the value has no such form, return the data itself.
    """
    try:
        return _plain(adapter.dump_python(value, by_alias=True, warnings=False))
    except Exception:  # a user's serializer may raise anything
        return data


def _plain(value: object) -> Any:
    if type(value) in PLAIN:
        return value
    if isinstance(value, dict):
        return {_key(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_plain(inner) for inner in value]
    from pydantic_core import to_jsonable_python

    return to_jsonable_python(value)


def _key(key: object) -> str:
    if isinstance(key, str):
        return str(key)
    from pydantic_core import to_jsonable_python

    return str(to_jsonable_python(key))
