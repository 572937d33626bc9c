"""Plans with tasks of every state."""

from __future__ import annotations

from pytest_planguard.document.positions import Span
from pytest_planguard.plans.plan import Plan, Traits
from pytest_planguard.plans.status import Status

from .making import at, plan, task

DONE, TODO, ACTIVE = Status.DONE, Status.TODO, Status.ACTIVE
STATES: dict[str, Plan] = {
    "unknown": plan(
        task("T1", status_text="Dune", status=None),
        task("T2", "Part", id=None, status_text="x"),
        task("T3", status_text="done", status=DONE),
        status_text="Dun",
        status_place=at(3, "status"),
        traits=Traits(statuses=("Done", "Todo")),
    ),
    "unknown, any word": plan(task("T1", status_text="Dune"), status_text="Dun"),
    "unknown in data": plan(task("T1", status_text="Dune"), find=lambda paths: dict.fromkeys(paths, Span(1, 1))),
    "done before": plan(
        task("T1", status=DONE, after="T2 T3 T4 T5 T9 T6@40"),
        task("T2", status=TODO),
        task("T3", status=Status.CANCELLED),
        task("T4"),
        task("T5", status=DONE),
        task("T6", status=Status.DEFERRED),
        task("T7", status=TODO, after="T2"),
    ),
    "done before, without ids": plan(task("T1", id=None, status=DONE, after="T2"), task("T2", id=None, status=ACTIVE)),
    "done before, repeated": plan(
        task("T1", status=DONE, after="T2"), task("T2", status=TODO), task("T2", "Other", status=TODO, line=30)
    ),
    "open steps": plan(
        task("T1", status=DONE),
        task("T2", status=DONE),
        task("T3", status=DONE),
        *(task(f"T{n}", f"Step {n}", status=TODO, parent="T1") for n in range(4, 11)),
        task("T11", status=DONE, parent="T2"),
        task("T12", status=DONE, parent="T3"),
        task("T13", status=TODO, parent="T99"),
    ),
    "open steps, half": plan(
        task("T1", status=DONE),
        task("T2", status=DONE),
        task("T3", status=TODO, parent="T1"),
        task("T4", status=DONE, parent="T2"),
    ),
    "open steps, most": plan(
        task("T1", status=DONE),
        task("T2", status=DONE),
        task("T3", status=DONE),
        task("T4", status=TODO, parent="T1"),
        task("T5", status=TODO, parent="T2"),
        task("T6", status=DONE, parent="T3"),
    ),
    "steps of every state": plan(
        task("T1", "Part", id=None, status=DONE),
        task("Tx", status=DONE),
        task("Ty", parent="Tx", status=DONE, line=9),
        *(task(f"T{n + 2}", f"Step {n}", id=None, status=status, parent="T1") for n, status in enumerate(Status)),
        task("T20", status=TODO, optional=True, parent="T1"),
        task("T21", parent="T1"),
    ),
    "active steps": plan(
        task("T1", status=DONE),
        task("T2", status=DONE),
        task("T3", status=ACTIVE, parent="T1"),
        task("T4", status=DONE, parent="T2"),
    ),
    "dropped steps": plan(
        task("T1", "Part (deferred)", status=DONE),
        task("T2", status=DONE),
        task("T3", status=TODO, parent="T1"),
        task("T4", status=DONE, parent="T2"),
    ),
    "a circle of parents": plan(
        task("T1", status=DONE, parent="T2"),
        task("T2", status=TODO, parent="T1"),
        task("T3", status=DONE),
        task("T4", status=DONE, parent="T3"),
    ),
    "deep": plan(
        task("T0", "Part (deferred)", status=DONE),
        *(task(f"T{n}", status=DONE if n < 11 else TODO, parent=f"T{n - 1}") for n in range(1, 12)),
        status=DONE,
    ),
    "less deep": plan(
        task("T0", "Part (deferred)", status=ACTIVE),
        *(task(f"T{n}", status=ACTIVE if n < 9 else TODO, parent=f"T{n - 1}") for n in range(1, 10)),
        status=DONE,
    ),
    "as deep": plan(
        task("T0", "Part (deferred)", status=ACTIVE),
        *(task(f"T{n}", status=ACTIVE if n < 10 else TODO, parent=f"T{n - 1}") for n in range(1, 11)),
        status=DONE,
    ),
    "the whole": plan(
        *(task(f"T{n}", status=TODO) for n in range(1, 8)),
        status=DONE,
        status_place=at(3, "status"),
        traits=Traits(noun="step"),
    ),
    "the whole, of steps": plan(
        task("T1", status=DONE),
        task("T2", "Part", id=None, status=TODO, parent="T1"),
        task("T3", status=DONE),
        task("T4", status=DONE, parent="T3"),
        status=DONE,
        status_place=at(3, "status"),
    ),
    "the whole, open": plan(task("T1", status=TODO), status=ACTIVE),
    "the whole, done": plan(task("T1", status=DONE), task("T2"), status=DONE),
    "active": plan(
        *(task(f"T{n}", status=ACTIVE) for n in (1, 2, 3)),
        task("T4", status=TODO),
        traits=Traits(one_active=True, noun="job"),
    ),
    "one active": plan(task("T1", status=ACTIVE), task("T2", status=TODO), traits=Traits(one_active=True)),
    "all active": plan(*(task(f"T{n}", status=ACTIVE) for n in (1, 2))),
}
