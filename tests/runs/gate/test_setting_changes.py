"""Settings compared: which value looks at less, and which words take tests out."""

from itertools import combinations
from typing import Any

import pytest

from pytest_planguard.plugin.marker.marker import Spec
from pytest_planguard.plugin.options import Settings
from pytest_planguard.runs.gate.tree_changes import JUDGES, SILENT, added_options, setting_changes, workflow_changes
from pytest_planguard.runs.gate.weakening import Weight

from ...support.one_item import in_one_item

ORDERS: dict[str, list[Any]] = {
    "match": ["strict", "gated", "ordered", "lenient"],
    "max_attempts": [1, 2.5, None],
    "must_feed_back": ["contract", "app"],
    "coverage": ["all", "first", "any"],
    "weakest": ["verbatim", "located", "weak"],
    "unclear": ["fail", "warn", "not applicable"],
    "known_wordings": [False, True],
    "copy_check": [True, False],
    "escalates": [[], ["a"], ["a", "b"]],
    "min_score": [0.9, 0.8, None],
    "min_pass_rate": [1.0, 0.5, None],
    "samples": [5, 2, None],
    "max_age": ["2h", "36h", " 12 d ", "2w", "15d", None],
    "prove": ["always", True, "auto", None, "never", False],
    "mode": [None, "driven", "observed", "check"],
    "redact": [["a", "b"], ["a"], []],
    "default_match": ["strict", "gated", "ordered", "lenient"],
    "stale_fails": [True, False],
    "fail_under": [0.8, 0.7, None],
    "block_network": [True, False],
    "allowed_hosts": [[], ["a"], ["a", "b"]],
    "processes": ["fail", "note", "allow"],
    "prove_fixtures": [["a", "b"], ["a"], []],
    "prove_except": [[], ["db"], ["db", "net"]],
    "prove_reruns": [3, 1, None],
    "prove_seconds": [60.0, 1.5, None],
    "plan_files": [["a", "b"], ["a"], []],
    "gives_up": [[], ["app.No"], ["app.No", "app.Never"]],
    "xfail_strict": [True, False],
    "record": ["none", "verify", "missing", "stale", "all"],
    "checks.feedback": ["fail", "warn", "not applicable"],
}
"""The values of each setting from the strictest to the weakest."""


@in_one_item
@pytest.mark.parametrize("name", [*JUDGES, "checks.feedback"])
def test_every_setting_has_its_values_in_order(name: str) -> None:
    """Each step down is a weakening, and no step up is named."""
    for strict, weak in combinations(ORDERS[name], 2):
        found = [*setting_changes("t", {name: strict}, {name: weak}, "marker")]
        assert [(one.weight, one.what.split()[0]) for one in found] == [(Weight.WEAKENED, name)], (strict, weak)
        assert not [*setting_changes("t", {name: weak}, {name: strict}, "marker")], (weak, strict)


@in_one_item
@pytest.mark.parametrize("name", sorted(SILENT))
def test_a_setting_that_affects_no_verdict_is_silent(name: str) -> None:
    """Or that is reported with the tests, the cassettes or the list of known failures."""
    assert not [*setting_changes("t", {name: 1}, {name: 2}, "settings")]


def test_the_age_of_a_session_is_in_seconds() -> None:
    """A marker gives it in words."""
    (found,) = setting_changes("pytest", {"max_age": 3600.0}, {"max_age": 7200.0}, "settings")
    assert found.what == "max_age 3600.0 → 7200.0"
    assert not [*setting_changes("pytest", {"max_age": 7200.0}, {"max_age": 3600.0}, "settings")]


def test_one_age_in_other_words_is_no_weakening() -> None:
    """A day has 24 hours, a week 7 days."""
    for one, other in combinations(["168h", "7d", "1w", " 1 w"], 2):
        assert not [*setting_changes("t", {"max_age": one}, {"max_age": other}, "marker")]
        assert not [*setting_changes("t", {"max_age": other}, {"max_age": one}, "marker")]


def test_lists_with_other_names_are_weaker_by_what_came_or_went() -> None:
    """A host that is allowed now counts, whatever else is gone."""
    (found,) = setting_changes("t", {"allowed_hosts": ["a", "b"]}, {"allowed_hosts": ["b", "c"]}, "settings")
    assert (found.weight, found.what) == (Weight.WEAKENED, "allowed_hosts a, b → b, c")
    (found,) = setting_changes("t", {"plan_files": ["a", "b"]}, {"plan_files": ["b", "c"]}, "settings")
    assert found.weight is Weight.WEAKENED


@in_one_item
@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("variant", "a", "b", "variant a → b"),
        ("variant", None, ["a", "b"], "variant unset → a, b"),
        ("variant", [], "b", "variant none → b"),
        ("match", "own", "lenient", "match own → lenient"),
        ("match", "lenient", "own", "match lenient → own"),
        ("min_score", "high", 0.5, "min_score high → 0.5"),
        ("min_score", 0.5, "low", "min_score 0.5 → low"),
        ("max_age", "90d", "9 months", "max_age 90d → 9 months"),
        ("checks.clean", "warn", "own", "checks.clean warn → own"),
        ("own", True, 1, "own True → 1"),
    ],
)
def test_what_has_no_order_is_unclear(name: str, old: Any, new: Any, said: str) -> None:
    """A setting without a strict side, or a value that nobody knows: it is said all the same."""
    (found,) = setting_changes("t", {name: old}, {name: new}, "marker")
    assert (found.weight, found.kind, str(found)) == (Weight.UNCLEAR, "marker", f"t: {said}")


def test_a_setting_that_is_unset_in_another_way_is_the_same() -> None:
    """No value, an empty list and an empty text all set nothing; the names are in order."""
    unset: list[Any] = [None, [], ""]
    assert not [one for a in unset for b in unset for one in setting_changes("t", {"own": a}, {"own": b}, "marker")]
    assert not [*setting_changes("t", {}, {"own": None}, "marker")]
    assert not [*setting_changes("t", {"prove": True}, {"prove": 1}, "marker")]
    both = setting_changes("t", {"b": "1", "same": 1}, {"a": "1", "same": 1}, "marker")
    assert [one.what for one in both] == ["a unset → 1", "b 1 → unset"]


def test_the_tables_name_what_there_is() -> None:
    """A setting that is renamed is renamed there, too."""
    known = {*Spec._fields, *Settings._fields, "addopts", "xfail_strict"}
    assert {*JUDGES, *SILENT} - known == set()


@pytest.mark.parametrize(
    "words",
    [["-k", "not a"], ["-knot a"], ["--ignore=tests"], ["--deselect", "t"], ["-p", "no:planguard"], ["--collect-only"],
     ["-m", "not slow"], ["--planguard-stale=warn"], ["--setup-plan"], ["--ignore-glob=*_slow.py"], ["--co"],
     ["--setup-only"], ["--fixtures"], ["--markers"], ["--help"], ["-h"], ["--version"], ["-V"], ["-pno:planguard"],
     ["--deselect=t"]],
)  # fmt: skip
def test_options_that_take_tests_out(words: list[str]) -> None:
    """Whatever stood there before."""
    (found,) = added_options({"addopts": ["-q"]}, {"addopts": ["-q", *words]})
    assert found.what == f"adds {' '.join(words)}"
    (found,) = added_options({}, {"addopts": words})
    assert (found.about, found.kind, found.what) == ("addopts", "options", f"adds {' '.join(words)}")
    assert not [*added_options({"addopts": words}, {"addopts": [*words, "-ra", "--tb=short", "-vv", "--maxfail=2"]})]
    assert not [*added_options({"addopts": words}, {"addopts": words[1:]})]
    assert not [*added_options({"addopts": words}, {})]


@pytest.mark.parametrize("word", ["-x", "--strict-markers", "--ignored", "--code-highlight=no", "-n=2", "--no-header"])
def test_options_that_leave_the_tests_in(word: str) -> None:
    """An option that only begins like one of the others."""
    assert not [*added_options({}, {"addopts": [word]})]


RUNS = "jobs:\n  gate:\n    steps:\n      - run: pytest\n      - run: planguard diff main last --fail-on new\n"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("      - run: pytest\n", "", ["lacks a line of the gate: - run: pytest"]),
        ("run: pytest", "run: pytest || true", ["lacks", "has a line that ignores failures: - run: pytest || true"]),
        (
            "  gate:\n",
            "  gate:\n    continue-on-error: true\n",
            ["has a line that ignores failures: continue"],
        ),
        ("  gate:\n", "  gate:\n    # continue-on-error: true\n\n    runs-on: ubuntu\n", []),
    ],
)
def test_a_build_that_lets_failures_pass(old: str, new: str, said: list[str]) -> None:
    """Each line of the gate that is gone, and each that ignores failures; comments and other lines are silent."""
    found = [*workflow_changes({"ci.yml": RUNS}, {"ci.yml": RUNS.replace(old, new)})]
    assert [(one.about, one.kind) for one in found] == [("ci.yml", "build")] * len(said)
    assert [one.what.startswith(words) for one, words in zip(found, said, strict=True)] == [True] * len(said)
    other = {"ci.yml": "jobs:\n  docs:\n    steps:\n      - run: make docs\n"}
    assert not [*workflow_changes(other, {"ci.yml": "continue-on-error: true\n"})]


@in_one_item
@pytest.mark.parametrize(
    ("line", "softens"),
    [
        ("continue-on-error: true", True),
        ("allow_failure: true", True),
        ("run: make gate || true", True),
        ("run: make gate ||true", True),
        ("run: make gate || :", True),
        ("run: make gate; exit 0", True),
        ("if: false", True),
        ("- if: ${{ false }}", True),
        ("- if:${{false", True),
        ("run: make gate || exit 1", False),
        ("run: make gate; exit 01", False),
        ("if: always()", False),
        ("# continue-on-error: true", False),
        ("verify: false", False),
    ],
)
def test_lines_that_ignore_failures(line: str, softens: bool) -> None:
    """Of GitHub, of GitLab, and of a shell."""
    found = [*workflow_changes({"ci.yml": RUNS}, {"ci.yml": f"{RUNS}  {line}\n"})]
    assert [one.what for one in found] == [f"has a line that ignores failures: {line}"] * softens
    assert not [*workflow_changes({"ci.yml": f"{RUNS}{line}\n"}, {"ci.yml": f"{RUNS}{line}\n"})]


@in_one_item
@pytest.mark.parametrize(
    "line", ["run: planguard diff", "run: PyTest -q", "fail-on: new", "fail_on: new", "contract: a:B", "Baseline: x"]
)
def test_lines_that_run_the_gate(line: str) -> None:
    """A file that has one is looked at, and the first one that is gone is named, also if the whole file is gone."""
    old = f"jobs:\n  - {line}\n  - run: pytest tests\n"
    (found,) = workflow_changes({"ci.yml": old}, {"ci.yml": "jobs:\n  - run: pytest tests\n"})
    assert str(found) == f"ci.yml: lacks a line of the gate: - {line}"
    (found,) = workflow_changes({"ci.yml": old, "docs.yml": "run: make docs"}, {})
    assert found.what == f"lacks a line of the gate: - {line}"
    assert not [*workflow_changes({"ci.yml": old}, {"ci.yml": f"\n  # moved\n{old}"})]
