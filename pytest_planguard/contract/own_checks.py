"""Run a user's checks on plain data with a hole for each part that breaks the schema, and report one that raised.

A check can read any valid part; it stops when it reads an invalid one. A part without a hole below it stays a plain
dict or list. The length of a list and the keys of an object are known even if their contents are invalid.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, ItemsView, Iterable, Iterator, ValuesView
from contextlib import suppress
from dataclasses import fields, is_dataclass
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

from .comparison.answer_forms import SetItems
from .failure_kinds import FailureKind
from .finding import Finding, Severity

if TYPE_CHECKING:
    from pydantic import TypeAdapter

    from ..document.path import Path as DocumentPath


# Not an Exception: a check with `except Exception: return False` would take the hole for a wrong value.
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
    if at.codes or (at.below and isinstance(data, SetItems)):  # an index in the answer is no index of the set's items
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
        # A finding about a member that is not there, as a validator may name one: its place is not known.
        elif cuts.codes != {_MISSING}:
            return HOLE
        else:
            members[key] = HOLE
        if cuts.codes == {_EXTRA}:
            del members[key]
    return members


PLAIN = (str, int, float, bool, type(None), Decimal, Hole)
"""Types to keep as they are. Numbers stay numbers, so that a check can add them up."""


def plain_value(value: object, data: object, adapter: TypeAdapter[Any] | None = None) -> Any:
    """Return a validated value as plain data under the names of an answer: dates and enums as JSON spells them.

    Numbers stay numbers. Serializers do not run, and excluded fields are included: those are about what the app writes.
    If the value has no such form, return the data itself.

    Args:
        value: the validated value.
        data: the plain parsed document.
        adapter: the type, if only its serializer knows the names of the fields.
    """
    try:
        return _plain(value if adapter is None else adapter.dump_python(value, by_alias=True, warnings=False))
    except Exception:  # a user's class may raise anything
        return data


def _plain(value: Any) -> Any:
    if type(value) in PLAIN:
        return value
    if isinstance(value, dict):
        return {_key(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, (set, frozenset)):
        return SetItems(_plain(inner) for inner in value)
    if isinstance(value, (list, tuple)):
        return [_plain(inner) for inner in value]
    if hasattr(value, "get_secret_value"):
        return _plain(value.get_secret_value())
    members = _members(value)
    if members is not None:
        return members
    from pydantic_core import to_jsonable_python

    return to_jsonable_python(value, fallback=str)


def _members(value: Any) -> Any:
    """Return the fields of a model or a dataclass under their names in an answer; None for another value."""
    kind = type(value)
    if getattr(kind, "__pydantic_root_model__", False):
        return _plain(value.root)
    if is_dataclass(kind):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(kind) if hasattr(value, field.name)}
    known = getattr(kind, "model_fields", None)
    if not isinstance(known, dict):
        return None
    extra = getattr(value, "__pydantic_extra__", None) or {}
    named = {_name(name, field): getattr(value, name) for name, field in known.items() if hasattr(value, name)}
    return {name: _plain(inner) for name, inner in {**named, **extra, **_computed(value)}.items()}


def _computed(value: Any) -> dict[str, Any]:
    """Return the computed fields of a model, without those that raise."""
    found = {}
    for name, field in type(value).__pydantic_decorators__.computed_fields.items():
        with suppress(Exception, Stopped):  # it is a user's code, and may read an invalid part
            found[field.info.alias or name] = getattr(value, name)
    return found


def _name(name: str, field: object) -> str:
    alias = getattr(field, "validation_alias", None)
    return alias if isinstance(alias, str) else name


def _key(key: object) -> str:
    if isinstance(key, str):
        return str(key)
    from pydantic_core import to_jsonable_python

    return str(to_jsonable_python(key))


# Guarded data: a check can read any valid part, and stops when it reads a hole.


class Watch:
    """Remembers if a check has read an invalid part."""

    __slots__ = ("stopped",)

    def __init__(self) -> None:
        self.stopped = False

    def stop(self) -> NoReturn:
        """Raise `Stopped` and remember it: a check may catch every exception."""
        self.stopped = True
        raise Stopped

    def seen(self, value: object) -> Any:
        """Return a value; stop if it is a hole."""
        return self.stop() if value is HOLE else value


class _Part:
    """The base class of guarded objects and lists. Any operation on the whole value stops the check."""

    __slots__ = ()
    watch: Watch

    def _whole(self, *_: object, **__: object) -> NoReturn:
        self.watch.stop()

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _whole
    __repr__ = __str__ = __format__ = __reduce_ex__ = __copy__ = __deepcopy__ = _whole
    __or__ = __ror__ = __ior__ = __add__ = __radd__ = __iadd__ = __mul__ = __rmul__ = __imul__ = _whole
    copy = pop = popitem = setdefault = sort = remove = _whole
    __hash__ = None  # type: ignore[assignment]  # like any dict or list


class GuardedObject(_Part, dict[str, Any]):
    """An object with a hole somewhere below it."""

    __slots__ = ("watch",)

    def __init__(self, members: dict[str, Any], watch: Watch) -> None:
        dict.__init__(self, members)
        self.watch = watch

    def __getitem__(self, key: Any) -> Any:
        return self.watch.seen(dict.__getitem__(self, key))

    def get(self, key: Any, default: Any = None) -> Any:
        """Return a member, like a dict."""
        return self.watch.seen(dict.get(self, key, default))

    def __iter__(self) -> Iterator[str]:
        return dict.__iter__(self)  # explicit, so that `dict(view)` and `{**view}` read each member through this class

    def values(self) -> ValuesView[Any]:  # type: ignore[override]
        """Return the members like a dict; each is checked when it is read."""
        return ValuesView(self)

    def items(self) -> ItemsView[str, Any]:  # type: ignore[override]
        """Return the items like a dict; each member is checked when it is read."""
        return ItemsView(self)


class GuardedList(_Part, list[Any]):
    """A list with a hole somewhere below it."""

    __slots__ = ("watch",)

    def __init__(self, items: Iterable[object], watch: Watch) -> None:
        list.__init__(self, items)
        self.watch = watch

    def __getitem__(self, index: Any) -> Any:
        found = list.__getitem__(self, index)
        return GuardedList(found, self.watch) if isinstance(index, slice) else self.watch.seen(found)

    def __iter__(self) -> Iterator[Any]:
        return map(self.watch.seen, list.__iter__(self))

    def __reversed__(self) -> Iterator[Any]:
        return map(self.watch.seen, list.__reversed__(self))

    def __contains__(self, value: object) -> bool:
        # Like a list, which has NaN in it although NaN equals nothing.
        return any(item is value or item == value for item in self)

    def index(self, value: Any, start: Any = 0, stop: Any = None) -> int:
        """Return the index of a value, like a list."""
        for at in range(len(self))[start:stop]:
            if self[at] == value:
                return at
        raise ValueError(f"{value!r} is not in list")

    def count(self, value: object) -> int:
        """Count a value, like a list."""
        return sum(item is value or item == value for item in self)


def guarded(data: object) -> Any:
    """Return a view of the data that a check may read; a `Shut` if no part is valid."""
    return Shut() if data is HOLE else _guarded(data, Watch())


def asked(check: Callable[[], Iterable[Any] | None], view: object) -> Iterator[Any]:
    """Yield the results of a check until it reads an invalid part. Other exceptions propagate."""
    try:
        for said in check() or ():
            if was_stopped(view):
                return
            yield said
    except Stopped:
        return


def was_stopped(view: Any) -> bool:
    """Return True if the check that got this view has read an invalid part."""
    return type(view) in (GuardedObject, GuardedList) and view.watch.stopped


def is_whole(view: object) -> bool:
    """Return True if the whole view is valid."""
    return type(view) not in (Shut, GuardedObject, GuardedList)


def _guarded(data: object, watch: Watch) -> object:
    """Return a view of an object or a list that has a hole somewhere below it; anything else unchanged."""
    if isinstance(data, dict):
        members = {key: _guarded(value, watch) for key, value in data.items()}
        return GuardedObject(members, watch) if _any_open(members.values()) else data
    if isinstance(data, list):
        items = [_guarded(value, watch) for value in data]
        return GuardedList(items, watch) if _any_open(items) else data
    return data


def _any_open(values: Iterable[object]) -> bool:
    return any(value is HOLE or isinstance(value, (GuardedObject, GuardedList)) for value in values)


# A check that raised ends a loop and is never fed back, since no answer fixes it.

CRASHED = "rule_crashed"
"""The code of the finding for a check that raised."""
MESSAGE_LIMIT = 200
"""Maximum number of characters to keep of an exception's message."""
FRAMES = 3
"""Number of innermost frames of the traceback to keep."""


def crash_finding(what: str, error: Exception, path: DocumentPath = ()) -> Finding:
    """Return the finding for a check that raised; its hint is the end of the traceback."""
    message = f"{what} itself raised {type(error).__name__}: {said_by(error)}"
    return Finding(CRASHED, path, message, FailureKind.RULE, Severity.FAIL, hint=_frames(error))


def said_by(error: Exception, limit: int | None = MESSAGE_LIMIT) -> str:
    """Return an exception's message, at most `limit` characters; None is no limit."""
    try:
        return str(error)[:limit]
    except (Exception, Stopped):  # the exception is a user's: its text may read what was never set, or an invalid part
        return "its message cannot be read"


def raised_outside(error: Exception) -> bool:
    """Return True if an exception came from a user's code: a frame of its traceback is outside planguard."""
    files = [Path(frame.filename) for frame in traceback.extract_tb(error.__traceback__)]
    entry = next((at for at, file in enumerate(files) if file.is_relative_to(_PACKAGE)), 0)  # the caller's come before
    return any(map(_is_users, files[entry:]))


def _is_users(file: Path) -> bool:
    """Return True if code belongs neither to planguard nor to the libraries that it calls."""
    standard = file.is_relative_to(_STANDARD) and "site-packages" not in file.parts
    # "<string>" and "<frozen importlib._bootstrap>" are no files: a dataclass has generated methods.
    return not (standard or file.is_relative_to(_PACKAGE) or _PARSERS & set(file.parts) or "<" in file.name)


def fed_back(findings: Iterable[Finding]) -> list[Finding]:
    """Return the bad findings that a model can fix."""
    return [found for found in findings if found.severity.bad and found.code != CRASHED]


def _frames(error: Exception) -> str | None:
    """Return 'raised in contracts.py:12 adds_up: return v["tax"] < 0', innermost frame first; None without a frame."""
    frames = traceback.extract_tb(error.__traceback__)[-FRAMES:][::-1]
    own = [frame for frame in frames if not Path(frame.filename).is_relative_to(_PACKAGE)]
    lines = [f"{Path(f.filename).name}:{f.lineno} {f.name}: {f.line}" for f in own]
    return f"raised in {', called in '.join(lines)}" if lines else None


_PACKAGE = Path(__file__).parents[1]
_STANDARD = Path(traceback.__file__).parent
_PARSERS = frozenset({"markdown_it", "yaml", "pydantic"})
"""Libraries that read documents for planguard. An error raised in one of them does not come from a user's check."""
