"""What a rule makes of one text: a placeholder, a goal, a title, an id. One decider for each file of inputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pytest_planguard.contract.finding import Finding
from pytest_planguard.plans.model.index import natural
from pytest_planguard.plans.model.plan import Plan, Prose, Ref, Requirement, Traits, worth_a_look
from pytest_planguard.plans.model.status import Status
from pytest_planguard.plans.rules.judge_plan import check_plan
from pytest_planguard.plans.rules.rule_table import BY_CODE

from ...support.pins import Decide
from .made.making import IDS, at, plan, task, tasks


def placeholders(text: str) -> str:
    """Return the placeholders of a text whose lines begin in the third column."""
    starts = tuple((10 + number, 3) for number in range(text.count("\n") + 1))
    looked_for = "" if worth_a_look(text) else "not looked for; "
    return looked_for + _found("no-placeholders", plan(prose=(Prose(text, at(10), starts),)))


def goals(text: str) -> str:
    """Return what is said of a goal."""
    return _found("goal-nonempty", plan(goal=Ref(text), traits=Traits(needs_goal=True)))


def dropped(title: str) -> str:
    """Return what is said of an open step of a done task: a remark where its title drops it."""
    steps = [task(f"T{number}", status=Status.DONE, parent=f"T{number - 2}") for number in (3, 4)]
    done = [task(f"T{number}", status=Status.DONE) for number in (1, 2)]
    step = task("T5", title, parent="T1", status=Status.TODO)
    return _weights("status-consistent", plan(*done, *steps, step))


def looked_at(title: str) -> str:
    """Return what is said of two tasks of one file that may meet: a remark where a title only looks at it."""
    both = (task("T1", title, files="a/b.py", parallel=True), task("T2", files="a/b.py", parallel=True))
    return _weights("parallel-safe", plan(*both))


def like_ids(title: str) -> str:
    """Return what is said of a task without an id: a remark where its title may begin with one."""
    return _weights("id-missing", plan(*tasks(30), task("x", title, id=None), traits=IDS))


def normative(text: str) -> str:
    """Return what is said of a requirement that should say SHALL or MUST."""
    wanted = (Requirement("FR-1", "FR", at(70), text=text),)
    return _weights("req-normative", plan(*tasks(1), requirements=wanted, traits=Traits(normative=True)))


def sorting(key: str) -> str:
    """Return the key by which an id is sorted."""
    return str(natural.__wrapped__(key))


def _found(code: str, one: Plan) -> str:
    return "; ".join(f"{said.span}: {said.message} ({weights})" for said, weights in _judged(code, one)) or "-"


def _weights(code: str, one: Plan) -> str:
    return "; ".join(weights for _, weights in _judged(code, one)) or "-"


def _judged(code: str, one: Plan) -> Sequence[tuple[Finding, str]]:
    """Return each finding with its weights where the format was named, and where its text tells it."""
    named, guessed = (check_plan(replace(one, known_by=known), [BY_CODE[code]]) for known in ("name", "text"))
    said = {(other.span, other.message): str(other.severity) for other in guessed}
    return [(one, f"{one.severity}, {said.get((one.span, one.message), '-')}") for one in named]


DECIDERS: dict[str, Decide] = {
    "placeholders": placeholders,
    "goals": goals,
    "dropped": dropped,
    "looked_at": looked_at,
    "like_ids": like_ids,
    "normative": normative,
    "sorting": sorting,
}
