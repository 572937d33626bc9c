"""What the rules find in plans that are made for them: each bound at its edge, each way of knowing a format."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from pytest_planguard.extend import Plan, Profile, Status, Traits
from pytest_planguard.plans.plan import Prose, Ref, Requirement

from ...support.decisions import Block, Decided, Messages, inputs
from .made.documents import TOKENS, WHOLE
from .made.edges import CYCLES, EDGES, TOGETHER
from .made.making import IDS, at, plan, task, tasks
from .made.names import ASKED, IDENTITIES, REFERENCES
from .made.states import STATES
from .show import check_text, found, said

MEANINGS = (
    *("acceptance criteria", "checklist", "dependencies", "goal", "overview", "project structure", "requirements"),
    *("steps", "story", "success criteria", "summary", "tasks", "technical context", "user scenarios", "Notes"),
)
"""What headings are known to mean, in several languages; "Notes" is none of that."""
_OFF = {"id-order": "warn", "id-gap": "warn", "file-path-present": "warn"}
GROUPS = {
    "cycles": CYCLES,
    "edges": EDGES,
    "together": TOGETHER,
    "references": REFERENCES,
    "identities": IDENTITIES,
    "asked": ASKED,
    "states": STATES,
    "whole": WHOLE,
    "tokens": TOKENS,
}
_WAYS: dict[str, dict[str, Any]] = {"name": {"format": "test"}, "tool": {"path": "own/a.md"}, "text": {}}
"""How a format may be known: it is named, its tool has a place of its own, or its text tells it."""


def findings_of(one: Plan, known: str = "name", **asked: Any) -> Any:
    """Return what is found in a made plan whose format is known in a way."""
    profile = Profile(
        *("test", "test", "Made for a test."),
        score=lambda _: 100,
        read=lambda _: one,
        own_places=("^own/",),
        looks_alike=True,
    )
    way = {"path": "a.md", **_WAYS[known]}
    return check_text("# A plan\n", profiles=[profile], **way, **asked).findings


def judged(page: Messages) -> Iterator[Block]:
    """What is found in each plan; and what differs where its place or its text alone tells the format."""
    for group, plans in GROUPS.items():
        asked: dict[str, Any] = {"severity": _OFF} if group == "asked" else {}
        asked |= {"catalogue": ("syntax", "types")} if group == "tokens" else {}
        decided = []
        for name, one in plans.items():
            ways = ["; ".join(found(page, findings_of(one, known, **asked), 8)) or "nothing" for known in _WAYS]
            other = [f"by {known}: {way}" for known, way in zip(_WAYS, ways, strict=True) if way != ways[0]]
            decided.append(Decided(f"{group}: {name}: {one}", " | ".join([ways[0], *other]), name))
        yield Block(group, decided)


def sentences(page: Messages) -> Iterator[Block]:
    """What a rule makes of one text: a placeholder, a goal, a title, an id."""
    made = {
        "placeholders": (_placeholder, "no-placeholders"),
        "goals": (_goal, "goal-nonempty"),
        "dropped": (_dropped, "status-consistent"),
        "looked_at": (_looked_at, "parallel-safe"),
        "like_ids": (_like_id, "id-missing"),
        "normative": (_normative, "req-normative"),
    }
    for name, (make, code) in made.items():
        decided = [Decided(text, _weights(page, make(text), code)) for text in inputs("plans", name)]
        yield Block(f"{name.replace('_', ' ')}: {code} where the format is named, and where its text tells it", decided)
    decided = []
    for heading in inputs("plans", "headings"):
        one = plan(*tasks(1), headings=(Ref(heading, at(60)),), traits=Traits(required=MEANINGS))
        gone = {str(f.message) for f in findings_of(one) if f.code == "required-sections"}
        named = [meaning for meaning in MEANINGS if not any(f'"{meaning}"' in message for message in gone)]
        decided.append(Decided(heading, ", ".join(named) or "nothing"))
    yield Block("the sections that a heading names", decided)
    keys = inputs("plans", "sorting")
    decided = []
    for one, other in pairwise([*keys, keys[0]]):
        both = plan(task("T1", id=one), task("T2", id=other))
        codes = [f.code for f in findings_of(both, severity={"id-order": "warn"}) if f.code == "id-order"]
        decided.append(Decided(one, "comes later" if codes else "comes first", f"{one} before {other}"))
    yield Block("the order of two ids", decided)


def _weights(page: Messages, one: Plan, code: str) -> str:
    """Return where a rule finds something and how it weighs: where the format is named, and where its text tells it."""
    ways = []
    for known in ("name", "text"):
        findings = [finding for finding in findings_of(one, known) if finding.code == code]
        for finding in findings:
            said(page, finding)
        ways.append(" ".join(f"{finding.severity.value}@{finding.span}" for finding in findings) or "-")
    return ", ".join(ways)


def _placeholder(text: str) -> Plan:
    """Return a plan with a text whose lines begin in the third column."""
    starts = tuple((10 + number, 3) for number in range(text.count("\n") + 1))
    return plan(*tasks(1), prose=(Prose(text, at(10), starts),))


def _goal(text: str) -> Plan:
    return plan(*tasks(1), goal=Ref(text), traits=Traits(needs_goal=True))


def _dropped(title: str) -> Plan:
    """Return a plan with an open step of a done task: a remark where its title drops it."""
    steps = [task(f"T{number}", status=Status.DONE, parent=f"T{number - 2}") for number in (3, 4)]
    done = [task(f"T{number}", status=Status.DONE) for number in (1, 2)]
    return plan(*done, *steps, task("T5", title, parent="T1", status=Status.TODO))


def _looked_at(title: str) -> Plan:
    """Return a plan with two tasks of one file that may meet: a remark where a title only looks at it."""
    return plan(task("T1", title, files="a/b.py", parallel=True), task("T2", files="a/b.py", parallel=True))


def _like_id(title: str) -> Plan:
    """Return a plan with a task without an id: a remark where its title may begin with one."""
    return plan(*tasks(30), task("x", title, id=None), traits=IDS)


def _normative(text: str) -> Plan:
    """Return a plan with a requirement that should say SHALL or MUST."""
    wanted = (Requirement("FR-1", "FR", at(70), text=text),)
    return plan(*tasks(1), requirements=wanted, traits=Traits(normative=True))
