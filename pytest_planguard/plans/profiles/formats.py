"""The known plan formats: detect the format of a document, and read it."""

import re
from collections.abc import Iterable
from dataclasses import replace
from operator import itemgetter

from ...contract.phrasing import nearest
from ...document.answer import Document
from ...errors import UsageError, offer
from ...registry import Registry
from ..declared.described import built_in
from ..plan import Defect, Plan
from ..reading.markdown_pieces import TooMuchError
from ..reading.outline import MAX_MARKDOWN, Block, Source
from ..reading.profile import CLEAR, SURE, Profile
from ..reading.task_forms import UNREAD_TASKS
from . import atomicguard, autospec, bmad, kiro, openspec, spec_kit, superpowers

_MODULES = (spec_kit, superpowers, openspec, kiro, bmad, autospec, atomicguard)
_BUILT_IN = (*(profile for module in _MODULES for profile in module.PROFILES), *built_in())
PROFILES = Registry("plan format", {profile.name: replace(profile, looks_alike=True) for profile in _BUILT_IN})

_TEMPLATE = re.compile(
    r"(?:^|/)(?!\d)(?:[._]?templates?(?:[-_.][\w.-]*)?|[\w.-]*[-_]templates?(?:\.\w+)?)(?:/|$)", re.IGNORECASE
)
"""A path that marks the document as a template: ".kiro/specs/_template/tasks.md", "tasks-template.md".

A feature may be about templates: "specs/006-json-template-engine/tasks.md".
"""
_DIGIT = re.compile(r"\d")  # the number of "### 2.1 Write the parser"
CLOSE = 0.8
"""Minimum share of the best score at which a format of another family is reported as close."""


def detect(
    source: Source, profiles: Iterable[Profile] = PROFILES, *, hints: bool = False
) -> tuple[Profile, int, tuple[str, ...]] | None:
    """Return the profile that the content fits best, the content's score, and close profiles of other families.

    The file's path only decides between profiles that the content fits, even if only a hint fits. With `hints`, a hint
    is enough for any path, because the document is known to be a plan.
    """
    medium, least = "markdown" if source.is_markdown else "data", 1 if hints else SURE
    scores = [(p.score(source), p) for p in profiles if p.medium == medium]
    fitting = [(p.with_place(score, source), score, p) for score, p in scores if score > 0]
    fitting = [one for one in fitting if one[0] >= least]
    if not fitting:
        return None
    best, content, profile = max(fitting, key=itemgetter(0))  # of equal scores the first in the table
    close = tuple([p.name for total, _, p in fitting if total >= CLOSE * best and p.family != profile.family])
    return profile, content, close


def profiles_of(name: str, profiles: Iterable[Profile]) -> tuple[Profile, ...]:
    """Return the profile with a name, and those of the family with that name. Raises UsageError if there is none."""
    known = tuple(profiles)
    found = tuple(profile for profile in known if name in (profile.name, profile.family))
    if not found:
        names = sorted({profile.name for profile in known} | {profile.family for profile in known})
        raise UsageError(f"unknown plan format {name!r}{offer(nearest(name, names), names)}")
    return found


def choose(source: Source, name: str, profiles: Iterable[Profile] = PROFILES) -> Profile:
    """Return the profile with a name, or the one of the family with that name that the content fits best.

    If the content fits none of the family, its first profile reads the document, and its rules report what is missing.
    Raises UsageError if there is no such format.
    """
    family = profiles_of(name, profiles)
    exact = next((profile for profile in family if profile.name == name), None)
    if exact is not None:
        return exact
    found = detect(source, family, hints=True)
    return family[0] if found is None else found[0]


def _lacks_its_parts(plan: Plan) -> bool:
    """Return True if the reader found none of the parts that the format requires."""
    asks = plan.traits.needs_tasks or bool(plan.traits.needs_requirements)
    return asks and not (plan.tasks or plan.requirements)


def _is_written_otherwise(plan: Plan, blocks: Iterable[Block]) -> bool:
    """Return True if a document at its tool's path has lists in another form than the tool's own.

    These are unread checkboxes or, in a document without tasks, items or numbered headings that may be the project's
    form of a task: "### 2.1 Write the parser".
    """
    may_be_task = (one.kind == "item" or (one.level > 1 and _DIGIT.search(one.text) is not None) for one in blocks)
    return any(defect.boxes for defect in plan.defects) or (_lacks_its_parts(plan) and any(may_be_task))


def read_plan(
    document: Document,
    format: str | None = None,  # noqa: A002
    path: str | None = None,
    profiles: Iterable[Profile] = PROFILES,
    *,
    hints: bool = False,
    named: bool = False,
    any_size: bool = False,
) -> Plan | None:
    """Return the plan of a document; None if the content fits no format, or so weakly that nothing was read.

    Args:
        document: the result of `document.answer.read`.
        format: a profile or family by name; None to detect it from the content.
        path: the file's path, as a hint between formats that fit.
        profiles: the known formats, `PROFILES` and custom ones.
        hints: see `detect`.
        named: True if the user named the format, and `profiles` are its candidates.
        any_size: True to read more than `MAX_MARKDOWN` characters.

    Raises:
        UsageError: there is no format of that name.
        TooMuchError: a Markdown document is too long, has too many blocks, or names too many tasks.
    """
    source = Source(document, path)
    if source.is_markdown and len(document.body) > MAX_MARKDOWN and not any_size:
        message = f"the document has {len(document.body):,} characters; at most {MAX_MARKDOWN:,} are read"
        raise TooMuchError(message, f"at most {MAX_MARKDOWN:,} characters")
    if format is not None:
        return choose(source, format, profiles).read(source)
    found = detect(source, profiles, hints=hints)
    if found is None:
        return None
    profile, content, close = found
    plan = profile.read(source)
    if not named and profile.looks_alike:  # a custom format counts as named
        left_out = any(defect.code == UNREAD_TASKS for defect in plan.defects)
        proven = profile.is_proven(source, content)
        is_guess = not (hints or proven) and content < CLEAR
        if is_guess and _lacks_its_parts(plan) and not left_out:
            return None
        is_other = source.is_markdown and _is_written_otherwise(plan, source.outline)
        sure = proven and (plan.traits.validated or not is_other)
        plan = replace(plan, known_by="tool" if sure else "text")
        if path is not None and _TEMPLATE.search(path):
            plan = replace(plan, unsure=(*plan.unsure, "element"))
    if not close:
        return plan
    message = f"read as {profile.name}; {', '.join(close)} fit nearly as well"
    return replace(plan, defects=(*plan.defects, Defect("format-detect", message, hint="name the format")))
