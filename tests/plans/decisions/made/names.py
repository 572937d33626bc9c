"""Plans that speak of tasks and requirements, and whose tasks have ids of every kind."""

from __future__ import annotations

from dataclasses import replace

from pytest_planguard.plans.plan import EVERY, Defect, Edge, Link, Place, Plan, Ref

from .making import IDS, PHASES, at, plan, refs, section, task, tasks, wanted

REFERENCES: dict[str, Plan] = {
    "spoken of": plan(
        *tasks(2),
        task("T009", after="T004@90"),
        mentions=(*refs("T001 T007 T001a T001z T002ab"), *refs("T004", 90), *refs("T0O9", 19)),
    ),
    "spoken of without tasks": plan(mentions=refs("T007")),
    "spoken of in data": plan(task("T1"), mentions=(Ref("T7"), Ref("T8", Place(("a",))))),
    "in a group": plan(task("T1"), groups=((Edge("T1", "1"), Edge("T4", "4", at(50, "groups"))),)),
    "cited by some": plan(task("T1", cites="FR-1 FR-2"), requirements=wanted("FR-1 FR-2 FR-3")),
    "cited by few": plan(task("T1", cites="FR-1"), requirements=wanted("FR-1 FR-2 FR-3")),
    "cited by half": plan(task("T1", cites="FR-1"), requirements=wanted("FR-1 FR-2")),
    "cited by none": plan(task("T1"), requirements=wanted("FR-1 FR-2")),
    "all cited": plan(task("T1", cites="FR-1"), requirements=wanted("FR-1 FR-2"), cites=refs("FR-2")),
    "every one": plan(
        replace(task("T1", cites="FR-1"), cites=(Ref("FR-1"), Ref(EVERY))),
        requirements=(*wanted("FR-1 FR-2"), *wanted("SC-1", "SC")),
    ),
    "every one, few": plan(replace(task("T1"), cites=(Ref("FR-1"), Ref(EVERY))), requirements=wanted("FR-1 FR-2 FR-3")),
    "spoken of only": plan(task("T1", cites="FR-1"), requirements=wanted("FR-1 FR-2"), spoken_of=("FR-2",)),
    "all spoken of": plan(task("T1", cites="FR-1"), requirements=wanted("FR-1 FR-2"), spoken_of=(EVERY,)),
    "other spoken of": plan(task("T1", cites="FR-1"), requirements=wanted("FR-1 FR-2"), spoken_of=("FR-3",)),
    "numbers": plan(task("T1", cites="1.2 2"), requirements=(*wanted("1 2 3", "story"), *wanted("1.1 1.2 2.1", "AC"))),
    "kinds": plan(
        task("T1", cites="1 FR-1"), requirements=(*wanted("1 2", "story"), *wanted("FR-1 FR-2"), *wanted("SC-1", "SC"))
    ),
    "astray": plan(task("T1", cites="FR-1 FR-9 US4 SC-1 Fr-8"), requirements=wanted("FR-1 FR-2 US1")),
    "numbers astray": plan(task("T1", cites="1 2 3 4 9"), task("T2", cites="1"), requirements=wanted("1 2 3 4", "AC")),
    "many numbers astray": plan(task("T1", cites="1 2 3 8 9"), requirements=wanted("1 2 3 4", "AC")),
    "one in five": plan(task("T1", cites="1 2 3 4 9"), requirements=wanted("1 2 3 4", "AC")),
    "one in four": plan(task("T1", cites="1 2 3 9"), requirements=wanted("1 2 3 4", "AC")),
    "a habit": plan(
        *(task(f"T{n}", cites=f"9 {' '.join('1234')} {' '.join('1234')}") for n in (1, 2, 3)),
        requirements=wanted("1 2 3 4", "AC"),
    ),
    "no habit": plan(
        *(task(f"T{n}", cites=f"9 {' '.join('1234')}") for n in (1, 2)), requirements=wanted("1 2 3 4", "AC")
    ),
    "of another list": plan(task("T1", cites="1 2 2.1 9"), requirements=wanted("1 2 3", "AC")),
    "headed": plan(task("T1", cites="US4 US1"), requirements=wanted("US1", "story"), cites=refs("US4")),
    "without an id": plan(task("T1", "Write it", cites="FR-9", id=None), requirements=wanted("FR-1")),
    "both sides": plan(
        links=(Link("A", "B", "first", at(1)), Link("A", "B", "second", at(2)), Link("A", "C", "first", at(3)))
    ),
    "one side": plan(links=(Link("A", "B", "first", at(1)), Link("C", "D", "second", at(2), "phases"))),
    "sides differ": plan(links=(Link("A", "B", "first", at(1)), Link("C", "D", "second", at(2)))),
    "through others": plan(
        links=(
            Link("A", "B", "first"),
            Link("B", "C", "first"),
            Link("C", "A", "first"),
            Link("A", "C", "second"),
            Link("A", "D", "second", at(4)),
        )
    ),
}
IDENTITIES: dict[str, Plan] = {
    "twice": plan(
        task("T1"),
        task("T1", "Other", line=30),
        task("T1", "Third", line=31, scope="a"),
        task("T2", id=None),
        task("T2", "Other", id=None, line=40),
    ),
    "the same title": plan(task("T1"), task("T1", line=30), task("T1", "Other", line=40)),
    "counted again": plan(
        *(task("T1", f"a{n}", section=n, line=20 + n) for n in (0, 1)),
        *(task("T2", f"b{n}", section=n, line=30 + n) for n in (0, 1)),
        sections=PHASES,
    ),
    "one counted again": plan(task("T1", "a", section=0), task("T1", "b", section=1, line=30), sections=PHASES),
    "some counted again": plan(
        task("T1", "a", section=0),
        task("T1", "b", section=1, line=30),
        task("T2", "c", section=1, line=31),
        task("T3", "d", id=None, section=1),
        sections=PHASES,
    ),
    "listed again": plan(
        *(task(f"{n}", f"a{n}") for n in (1, 2)), *(task(f"{n}", f"b{n}", line=30 + n) for n in (1, 2)), task("3")
    ),
    "listed again with a letter": plan(
        *(task(f"T{n}", f"a{n}") for n in (1, 2)), *(task(f"T{n}", f"b{n}", line=30 + n) for n in (1, 2))
    ),
    "one number again": plan(*(task(f"{n}", f"a{n}") for n in (1, 2, 3)), task("2", "b", line=30)),
    "none": plan(*(task(f"T{n}", f"Part {n}", id=None) for n in (1, 2, 3)), traits=IDS),
    "none, optional": plan(
        *(task(f"T{n}", f"Part {n}", id=None) for n in (1, 2, 3)), traits=replace(IDS, ids_optional=True)
    ),
    "a hundred and two without": plan(*(task(f"T{n}", f"Part {n}", id=None) for n in range(102)), traits=IDS),
    "one without": plan(task("T1", "Part", id=None), traits=IDS),
    "some without": plan(
        *tasks(30),
        task("x", "Part", id=None),
        task("y", "14a. Part", id=None),
        task("z", "Step", id=None, parent="T001"),
        traits=IDS,
    ),
    "some without, optional": plan(*tasks(30), task("x", "Part", id=None), traits=replace(IDS, ids_optional=True)),
    "checks without": plan(
        *tasks(30),
        task("x", "Part", id=None, section=0),
        task("y", "Part", id=None, section=1),
        traits=IDS,
        sections=(section("Checklist"), section("Work")),
    ),
    "no headers": plan(
        task("a", id=None), task("b", id=None), traits=IDS, defects=(Defect("header-format", "none", at(1)),)
    ),
    "other headers": plan(
        task("a", id=None),
        task("b", id=None),
        traits=IDS,
        defects=(Defect("header-format", "one", at(1), actual="## Task"),),
    ),
    "of no form": plan(*tasks(30), task("T1"), task("0"), task("x1", id=None), traits=IDS),
    **{
        f"{name} among {count + 1}, with steps": plan(*tasks(count), *tasks(10, 20, parent="T001"), odd, traits=IDS)
        for count in (8, 9)
        for name, odd in (("another form", task("T1")), ("none", task("x", "Part", id=None)))
    },
    "all of another form": plan(task("A1"), task("A2"), traits=IDS),
    "one of another form": plan(task("A1"), traits=IDS),
    "of any form": plan(task("A1"), task("b", id=None)),
    "in groups": plan(
        *(task(f"{n}.1", section=n - 1) for n in (1, 2, 3)),
        task("5.1", section=1),
        task("6", section=1),
        task("7.1"),
        task("x.1", section=1),
        task("8.1", section=2, id=None),
        sections=(
            section("One", number="1", line=2),
            section("Two", number="2", line=4),
            section("Three", number="III", line=5),
        ),
    ),
    "in groups without numbers": plan(task("5.1", section=0), sections=PHASES),
}
ASKED: dict[str, Plan] = {
    "out of order": plan(
        task("T2"),
        task("T1"),
        task("T10"),
        task("T9", scope="b"),
        task("T3", parent="T2"),
        task("T1", parent="T2", line=50),
        task("x", id=None),
        task("T11"),
    ),
    "left out": plan(
        task("T1"),
        task("T3"),
        task("T6"),
        task("T7"),
        task("U9"),
        task("x"),
        task("U12"),
        task("T005a"),
        task("T007b"),
        task("T2"),
    ),
    "files": plan(task("T1", files="a.py"), task("T2"), task("T3", "No id", id=None)),
}
