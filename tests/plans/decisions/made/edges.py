"""Plans in which tasks and sections wait for each other, or run at the same time."""

from __future__ import annotations

from dataclasses import replace

from pytest_planguard.plans.plan import NOWHERE, Edge, Plan, Traits

from .making import PHASES, at, between, circle, plan, refs, section, task, tasks

CYCLES: dict[str, Plan] = {
    **{f"a circle of {count}": plan(*circle(count)) for count in (2, 3, 11, 12, 13, 14)},
    "a circle without places": plan(
        *(replace(one, place=NOWHERE, edges=(Edge("T2", "2"), Edge("T1", "1"))) for one in circle(2))
    ),
    "two circles": plan(task("b", after="a"), task("a", after="b"), task("T10", after="T9"), task("T9", after="T10")),
    "a knot": plan(task("a", after="b c"), task("b", after="a"), task("c", after="a d"), task("d", after="a")),
    "a shortest way": plan(task("a", after="b d"), task("b", after="c"), task("c", after="a"), task("d", after="a")),
    "words elsewhere": plan(task("T1", after="T2@50"), task("T2", after="T1@12"), task("T3", line=30)),
    "far below": plan(task("T1", after="T2@111"), task("T2", after="T1@113")),
    "at the bound": plan(task("T1", after="T2@111"), task("T2", after="T1@112", line=12)),
    "above": plan(task("T1", after="T2@5"), task("T2", after="T1")),
    "itself": plan(task("T1", after="T1"), task("T2", after="T2=2"), task("T3", after="T3@9 T2")),
    "sections": plan(
        sections=PHASES, section_edges=between(("phase 1", "phase 2"), ("phase 2", "phase 1"), ("phase 3", "phase 3"))
    ),
    "sections, three": plan(
        sections=PHASES,
        section_edges=between(
            ("phase 1", "phase 3"), ("phase 3", "phase 2"), ("phase 2", "phase 1"), ("phase 2", "phase 9")
        ),
    ),
    "a section and its task": plan(
        task("T1", after="phase¤2", section=0),
        task("T2", after="T1", section=1),
        task("T3", section=1),
        sections=PHASES,
    ),
}
EDGES: dict[str, Plan] = {
    "not there": plan(*tasks(3), task("T009", after="T08 T9=9 T002")),
    "not there, headed": plan(task("T001", after="A2 A3=a3 B1"), headings=refs("A2 a3:")),
    "itself is not near": plan(task("T001", after="T0O1")),
    "no such section": plan(
        task("T1"), sections=PHASES, section_edges=between(("phase 1", "phase 7"), ("phase 1", "phase 2"))
    ),
    "a section": plan(task("T1", after="phase¤2"), task("T2", after="phase¤3"), sections=PHASES[:2]),
    "twice": plan(task("T1", after="T2 T3 T2=2 T2"), task("T2"), task("T3", after="T4"), task("T4")),
    "implied": plan(task("T1"), task("T2", after="T1"), task("T3", after="T1 T2"), task("T4", after="T3 T1 T2 T9")),
    "implied, of data": plan(
        task("T1"), task("T2", after="T1"), task("T3", after="T1 T2"), traits=Traits(off=frozenset({"dep-redundant"}))
    ),
    "implied, in a circle": plan(task("T1", after="T2"), task("T2", after="T1"), task("T3", after="T1 T2")),
    "implied, behind a repeated id": plan(
        task("T1"),
        task("T2", after="T1"),
        task("T3", after="T1 T2"),
        task("T3", line=30),
        task("T4", after="T1 T2"),
    ),
    "later, behind a repeated id": plan(
        task("T1", after="T2"),
        task("T2"),
        task("T2", line=30),
        task("T3", after="T4"),
        task("T4"),
        traits=Traits(ordered=True),
    ),
    "a later phase, behind others": plan(
        task("T1", after="T9"),
        task("T2", after="T3", section=0),
        task("T3"),
        task("T4", after="T5", section=0),
        task("T5", section=1),
        sections=PHASES,
    ),
    "implied, of a repeated id": plan(
        task("T1"), task("T2", after="T1"), task("T3", after="T1 T2"), task("T3", line=30)
    ),
    "too many to look at": plan(
        *(task(f"T{n}", after=" ".join(f"T{k}" for k in range(1, n))) for n in range(1, 5)),
        *(task(f"S{n}", after=" ".join([*(f"S{k}" for k in range(1, n)), "T4"])) for n in range(1, 60)),
    ),
    "later": plan(
        task("T1", after="T2"),
        task("T2", after="T1@1"),
        task("T3", after="T4 T2"),
        task("T4"),
        traits=Traits(ordered=True),
    ),
    "later, no circle": plan(
        task("T1", after="T2 T9"), task("T2"), task("T3", after="T1"), traits=Traits(ordered=True)
    ),
    "later, in sections": plan(
        task("T1", after="T2 T3", section=0),
        task("T2", section=0),
        task("T3", section=1),
        task("T4", after="T5"),
        task("T5", section=1, after="T6"),
        task("T6"),
        traits=Traits(ordered=True),
        sections=PHASES,
    ),
    "later, repeated": plan(
        task("T1", after="T2"),
        task("T2"),
        task("T2", line=30),
        task("T3", after="T4"),
        task("T4"),
        task("T3", line=31),
        traits=Traits(ordered=True),
    ),
    "a later phase": plan(
        task("T1", after="T2 T3 T4 T9", section=0),
        task("T2", section=1),
        task("T3", section=0),
        task("T4"),
        task("T5", after="T2", section=2),
        sections=PHASES,
    ),
    "a later phase, repeated": plan(
        task("T1", after="T2", section=0), task("T2", section=1), task("T2", section=1, line=30), sections=PHASES
    ),
    "one phase": plan(task("T1", after="T2", section=0), task("T2", section=0), sections=PHASES[:1]),
    "phases": plan(
        sections=(*PHASES, section("One again", "phase 1", 9), section("No key", "", 10)),
        section_edges=between(
            ("phase 1", "phase 2"), ("phase 3", "phase 2"), ("phase 2", "phase 2"), ("phase 9", "phase 1")
        ),
    ),
}
TOGETHER: dict[str, Plan] = {
    "one file": plan(
        task("T1", files="src/a.py", parallel=True),
        task("T2", files="src/a.py", parallel=True),
        task("T3", files="src/a.py"),
    ),
    "seven": plan(*(task(f"T{n}", f"Write part {n}", files="src/a.py", parallel=True) for n in range(1, 8))),
    "six": plan(*(task(f"T{n}", files="src/a.py", parallel=True) for n in range(1, 7))),
    "many that wait": plan(
        *(task(f"T{n:02}", files="a/b.py", parallel=True, after=f"T{n - 1:02}" if n > 1 else "") for n in range(1, 13))
    ),
    "too many that wait": plan(
        *(task(f"T{n:02}", files="a/b.py", parallel=True, after=f"T{n - 1:02}" if n > 1 else "") for n in range(1, 14))
    ),
    "one apart": plan(
        task("T1", files="a/b.py", parallel=True),
        task("T2", files="a/b.py", parallel=True, after="T1"),
        task("T3", files="a/b.py", parallel=True),
    ),
    "in full": plan(
        task("T1", files="README.md a/README.md", parallel=True),
        task("T2", files="README.md b/c.md", parallel=True),
        task("T3", files="c.md", parallel=True),
    ),
    "names of any folder": plan(
        *(task(f"T{n}", files="index.js __init__.py main.go mod.rs README.md x.py", parallel=True) for n in (1, 2))
    ),
    "in two folders": plan(
        task("T1", files="a/x.py", parallel=True),
        task("T2", files="b/x.py", parallel=True),
        task("T3", files="x.py", parallel=True),
    ),
    "from the root": plan(task("T1", files="/x.py", parallel=True), task("T2", files="x.py", parallel=True)),
    "two files": plan(task("T1", files="a/x.py a/y.py", parallel=True), task("T2", files="a/x.py", parallel=True)),
    "cited in a title": plan(
        task("T1", "Write `a/x.py` like lib/y", files="a/x.py", parallel=True),
        task("T2", "Write a/x.py", files="a/x.py", parallel=True),
    ),
    "of sections": plan(
        task("T1", files="a/x.py", parallel=True, section=0),
        task("T2", files="a/x.py", parallel=True, section=1),
        task("T3", files="a/x.py", parallel=True, section=1),
        sections=PHASES,
    ),
    "groups": plan(
        task("T1", files="a/x.py", after="T4"),
        task("T2", files="a/x.py"),
        task("T3", files="a/x.py", parallel=True),
        task("T4", after="T2"),
        groups=(
            (
                Edge("T1", "1", at(50, "g")),
                Edge("T2", "2", at(50, "h")),
                Edge("T3", "3", at(50, "i")),
                Edge("T8", "8", at(50, "j")),
            ),
        ),
    ),
    "in a circle": plan(
        task("T1", files="a/x.py", after="T2", parallel=True),
        task("T2", files="a/x.py", after="T1", parallel=True),
        groups=((Edge("T1", "1", at(50)), Edge("T2", "2", at(51))),),
    ),
    "marked and waiting": plan(
        task("T1", parallel=True),
        task("T2", parallel=True, after="T1 T9 T3@50"),
        task("T3"),
        task("T4", parallel=True, after="T2"),
    ),
    "marked and waiting for itself": plan(task("T1", parallel=True, after="T1"), task("T2", parallel=True)),
}
