"""What the gate says of comparisons by each of its words, the figures of runs, and the rows of result files."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from pytest_planguard.document.path import to_dotted
from pytest_planguard.runs.compare.compare import compare
from pytest_planguard.runs.compare.run_diff import RunDiff
from pytest_planguard.runs.figures import figures_of_run
from pytest_planguard.runs.gate.gate import NO_BUDGETS, Budgets, FailOn, gate
from pytest_planguard.runs.gate.known_failures import Baseline, KnownFailure
from pytest_planguard.runs.gate.tree_changes import workflow_changes
from pytest_planguard.runs.gate.weakening import Weakening, Weight
from pytest_planguard.runs.load.load import load_run
from pytest_planguard.runs.model.codec import row_text
from pytest_planguard.runs.model.run import Run
from pytest_planguard.runs.value_diff import diff_values
from pytest_planguard.runs.value_diff_options import diff_options

from ...report.diffs import TODAY, odd_diff, reviews_diff
from ...report.talks import talks_diff
from ...report.whole.reports import many_diff
from ...support.paths import ROOT
from ...support.runs import attempt, case, finding, good, run
from ...support.whole import Outputs
from ..gate.test_setting_changes import RUNS

_DIFFS: dict[str, Callable[[], RunDiff]] = {
    "reviews": reviews_diff,
    "odd": odd_diff,
    "talks": talks_diff,
    "many": many_diff,
}
_LISTED = Baseline((
    KnownFailure("talk", "missing", ("b",), first_seen="2026-10-01"),
    KnownFailure("fresh and bad", "missing", ("a",), expires="2026-11-01"),
    KnownFailure("repaired", "missing", ("a",)),
    KnownFailure("case-0005", "one_of", ("recommendation",)),
))  # fmt: skip
_WEAKENED = (
    Weakening("t.py::a", "marker", "match gated → lenient"),
    Weakening("models.py:Ticket", "contract", "accepts more", Weight.UNCLEAR),
    Weakening("tree", "code", "the code could not be looked at", Weight.UNKNOWN),
)
_VALUES = (
    ({"a": 1, "b": [1, 2, 3]}, {"a": 2, "b": [1, 3, 2], "c": None}),
    ([{"id": 1, "v": "x"}, {"id": 2, "v": "y"}], [{"id": 2, "v": "z"}, {"id": 1, "v": "x"}, {"id": 3}]),
    (["one", "two", "three"], ["zero", "one", "three", "four"]),
    ({"deep": {"er": [{"name": "a", "n": 1.5}, {"name": "b"}]}}, {"deep": {"er": [{"name": "b", "n": 1}, "a"]}}),
    ("a text", ["a text"]),
    ({"time": "2026-01-01T00:00:00Z", "score": 0.5}, {"time": "2026-01-02T00:00:00Z", "score": 0.5000001}),
)
_EVAL = str(ROOT / "fixtures" / "promptfoo" / "eval{}")
_BUILDS = (RUNS.replace("pytest", "pytest || true"), RUNS.replace("--fail-on new", ""), "")


def outputs() -> Outputs:
    """Return what makes each output."""
    made = {
        "gate": _gate,
        "figures": _figures,
        "cases": _cases,
        "values": _values,
        "builds": lambda: (str(one) for new in _BUILDS for one in workflow_changes({"ci.yml": RUNS}, {"ci.yml": new})),
    }
    found = {f"{name}.txt": lambda lines=lines: _text(lines()) for name, lines in made.items()}
    return {**found, **{f"promptfoo{ending}": lambda ending=ending: _rows(ending) for ending in (".json", ".jsonl")}}


def _text(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _gate() -> Iterator[str]:
    budgets = Budgets(cost=0.1, tokens=0.1, latency=0.1, length=0.1)
    for name, made in _DIFFS.items():
        for number, word in enumerate(FailOn):
            for listed in (None, _LISTED):
                limits = NO_BUDGETS if number else budgets
                found = gate(made(), [word], TODAY, baseline=listed, weakened=_WEAKENED, budgets=limits)
                yield f"{name}, {word}{', listed' if listed else ''}: {found.conclusion}"
                yield from (f"  {reason}" for reason in found.why)
                yield from (f"  known: {one.key}" for one in found.known)


def _figures() -> Iterator[str]:
    diff = compare(load_run(_EVAL.format(".json")), load_run(_EVAL.format(".jsonl")))
    yield from map(str, diff.rules)
    dearer = compare(_priced(1), _priced(3))
    for pair in ((_priced(1), _priced(3)), (_listing(_PEOPLE[0]), _listing(_PEOPLE[1])), (run("a", []), run("b", []))):
        measured = compare(*pair, metrics=True)
        yield from map(str, measured.metrics)
        yield from (str(figure) for one in measured.cases for value in one.values for figure in value.metrics)
    yield from gate(dearer, [FailOn.NONE], TODAY, budgets=Budgets(0.1, 0.1, 0.1, 0.1)).why
    yield str(figures_of_run(load_run(_EVAL.format(".json"))))


_PEOPLE = (
    [{"id": 1, "name": "Ann", "role": ""}, {"id": 2, "name": "Bob", "role": "TBD"}, {"id": 2, "name": "Cy"}],
    [{"id": 1, "name": "Ann", "role": "lead"}, {"id": 3, "name": "Bob", "role": None, "tags": []}],
)


def _listing(people: list[dict[str, object]]) -> Run:
    """Return a run of one answer, a list at its root and in a field."""
    return run("people", [good("root", json.dumps(people)), good("field", json.dumps({"people": people, "n": 1}))])


def _priced(factor: int) -> Run:
    """Return a run whose cases cost more, take longer, and have longer answers."""
    answer = json.dumps({"text": "word " * 10 * factor})
    rows = [good(f"c{n}", answer, cost=0.01 * factor, latency_s=1.5 * factor) for n in range(3)]
    tried = [case(f"t{n}", attempt("{}", finding("x")), attempt(answer, tokens=50 * factor)) for n in range(factor)]
    return run(f"x{factor}", [*rows, *tried])


def _cases() -> Iterator[str]:
    for name, made in _DIFFS.items():
        diff = made()
        yield f"{name}: {dict(diff.counts)}"
        for one in diff.cases:
            yield f"{name}, {one.key}: {one.bucket}, breaks {list(map(str, one.broken))}, {one.why or 'no reason'}"
        yield from (f"{name}: {axis}" for axis in diff.axes)
        yield from (f"{name}: {note}" for note in diff.notes)


def _values() -> Iterator[str]:
    for before, after in _VALUES:
        for options in (diff_options(), diff_options(verdicts=["score"])):
            found = diff_values(before, after, options)
            yield f"{before} → {after}"
            yield from (f"  {one.kind} {to_dotted(one.path)}: {one.before!r} → {one.after!r}" for one in found.changes)


def _rows(ending: str) -> str:
    return _text(row_text(replace(row, test="eval")) for row in load_run(_EVAL.format(ending)).rows)
