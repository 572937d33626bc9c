"""Compare an OpenSpec delta with the current spec that it changes, as `openspec archive` does."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

from ...contract.phrasing import did_you_mean
from ..model.place import Place
from ..model.plan import Defect, Plan, Requirement

_OWN_PLACE = re.compile(r"(?P<root>.*/)?changes/(?!archive/)[^/]+/(?P<spec>specs/(?:[^/]+/)+spec\.md)")
"""A delta of a change that is still open: "openspec/changes/add-login/specs/auth/spec.md"."""


def spec_of(path: str) -> str | None:
    """Return the path of the current spec that a delta changes; None if the path is not the delta of an open change."""
    found = _OWN_PLACE.fullmatch(path)
    return f"{found['root'] or ''}{found['spec']}" if found else None


_CHANGE_PLACE = re.compile(r"(?P<change>(?:.*/)?changes/(?!archive/)[^/]+/)(?:proposal|tasks)\.md")
_NEEDS_NONE = re.compile(r"^skip_specs:[ \t]*true\b", re.MULTILINE)
"""A statement in the metadata of a change that it changes no spec."""


def without_delta(
    path: str, listed: Callable[[str], Iterable[str] | None], content: Callable[[str], str | bytes | None]
) -> Iterator[Defect]:
    """Yield a defect if the change of a proposal or task list has no delta.

    `listed` returns the paths of all files below a folder, `content` what a file holds. Either may return None.
    """
    found = _CHANGE_PLACE.fullmatch(path)
    files = listed(found["change"]) if found is not None else None
    if found is None or files is None or any(map(_OWN_PLACE.fullmatch, files)):
        return
    metadata = content(f"{found['change']}.openspec.yaml") or ""
    if _NEEDS_NONE.search(metadata if isinstance(metadata, str) else metadata.decode("utf-8", "replace")) is None:
        yield Defect("delta-missing", "the change has no delta", expected="specs/CAPABILITY/spec.md")


def against(delta: Plan, spec: Plan) -> Iterator[Defect]:
    """Yield what a delta says that does not fit the current spec: OpenSpec refuses to archive it."""
    current = {one.id: one for one in spec.requirements}
    for old, new in delta.renames:
        if old.name in current:
            current[new.name] = current.pop(old.name)
        elif new.name not in current:
            yield _not_there(old.name, old.place, "RENAMED", current)
    for one in delta.requirements:
        if one.scope in ("MODIFIED", "REMOVED") and one.id not in current:
            yield _not_there(one.id, one.place, one.scope, current)
        elif one.scope == "MODIFIED":
            yield from _omitted(one, current[one.id])
        elif one.scope == "ADDED" and one.id in current and not _is_same(one, current[one.id]):
            message = f"{one.id!r} is under ADDED, and the current spec already has it"
            yield Defect("delta-target", message, one.place, "MODIFIED, or another name")


def _not_there(name: str, place: Place, section: str, current: Mapping[str, Requirement]) -> Defect:
    message = f"{name!r} is under {section}, and the current spec has no such requirement"
    return Defect("delta-target", message, place, "a requirement of the current spec", hint=did_you_mean(name, current))


def _is_same(new: Requirement, old: Requirement) -> bool:
    return (new.text, new.headings) == (old.text, old.headings)


def _omitted(new: Requirement, old: Requirement) -> Iterator[Defect]:
    """Yield the scenarios that a modified requirement drops. The new text replaces the whole old one."""
    missing = [*(Counter(old.headings) - Counter(new.headings)).elements()]
    if missing:
        listed = ", ".join(map(repr, missing[:3])) + (f" and {len(missing) - 3} more" if len(missing) > 3 else "")
        message = f"{new.id!r} is under MODIFIED without {listed}, which the current spec has"
        yield Defect(
            "delta-scenario", message, new.place, "every scenario that remains", hint="copy them into the delta"
        )
