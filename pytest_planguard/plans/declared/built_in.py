"""Built-in formats with a description, `plans/formats/*/*.yaml`, in the same form that users write."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import UsageError, nearest, offer
from .described import profile_of
from .settings import DataSettings, FormatSettings, GroupSettings, SectionSettings, StatusSettings, TaskSettings

if TYPE_CHECKING:
    from ..reading.profile import Profile

_FORMATS = Path(__file__).parents[1] / "formats"
_PARTS = {
    "data": DataSettings,
    "groups": GroupSettings,
    "sections": SectionSettings,
    "status": StatusSettings,
    "tasks": TaskSettings,
}


def built_in(*names: str) -> tuple[Profile, ...]:
    """Return the formats with these names, in this order."""
    import yaml

    loaded = (yaml.load(_file(name).read_text("utf-8"), yaml.CSafeLoader) for name in names)
    return tuple([profile_of(_made(FormatSettings, one), built_in=True) for one in loaded])


def format_text(name: str) -> str:
    """Return the description of a built-in format, for a user to change.

    Raises:
        UsageError: no file describes this name; the message has the nearest name and all known ones.
    """
    known = sorted(file.stem for file in _FORMATS.glob("*/*.yaml"))
    if name not in known:
        raise UsageError(f"no file describes plan format {name!r}{offer(nearest(name, known), known)}")
    return _file(name).read_text("utf-8")


def _file(name: str) -> Path:
    return next(_FORMATS.glob(f"*/{name}.yaml"))


def _made(kind: type[Any], given: dict[str, Any]) -> Any:
    """Return settings that are known to be valid: to build a pydantic validator for them takes longer than a check."""
    values = {}
    for name, value in given.items():
        part = _PARTS.get(name) if isinstance(value, dict) else None
        values[name] = _made(part, value) if part else tuple(value) if isinstance(value, list) else value
    return kind(**values)
