"""Settings compared: which value looks at less, and which words take tests out."""

from typing import Any

import pytest

from pytest_planguard.plugin.marker.marker import Spec
from pytest_planguard.plugin.options import Settings
from pytest_planguard.runs.gate.tree_changes import JUDGES, SILENT, added_options, setting_changes, workflow_changes
from pytest_planguard.runs.gate.weakening import Weight

from ...support.one_item import in_one_item


@in_one_item
@pytest.mark.parametrize(
    ("name", "strict", "weak"),
    [
        ("match", "strict", "lenient"),
        ("max_attempts", 3, 9),
        ("coverage", "all", "any"),
        ("weakest", "located", "weak"),
        ("must_feed_back", "contract", "app"),
        ("copy_check", True, False),
        ("escalates", [], ["boss"]),
        ("min_score", 0.9, 0.8),
        ("min_pass_rate", 1.0, 0.5),
        ("max_age", "2w", "90d"),
        ("max_age", "90d", None),
        ("prove", None, False),
        ("checks.feedback", "fail", "warn"),
        ("checks.clean", "warn", "not applicable"),
        ("default_match", "gated", "ordered"),
        ("stale_fails", True, False),
        ("fail_under", 0.8, None),
        ("allowed_hosts", ["a"], ["a", "b"]),
        ("block_network", True, False),
        ("processes", "fail", "allow"),
        ("prove_except", [], ["db"]),
        ("plan_files", ["specs/*.md"], []),
        ("unclear", "fail", "warn"),
        ("gives_up", [], ["app.No"]),
        ("record", "none", "all"),
    ],
)
def test_what_looks_at_less_is_weakened(name: str, strict: Any, weak: Any) -> None:
    """One way; the other way nothing is said."""
    (found,) = setting_changes("t", {name: strict}, {name: weak}, "marker")
    assert (found.weight, found.what.startswith(f"{name} ")) == (Weight.WEAKENED, True)
    assert not [*setting_changes("t", {name: weak}, {name: strict}, "marker")]


def test_what_has_no_order_is_unclear() -> None:
    """It is said all the same."""
    (found,) = setting_changes("t", {"variant": "a"}, {"variant": "b"}, "marker")
    assert (found.weight, str(found)) == (Weight.UNCLEAR, "t: variant a → b")


def test_the_tables_name_what_there_is() -> None:
    """A setting that is renamed is renamed there, too."""
    known = {*Spec._fields, *Settings._fields, "addopts", "xfail_strict"}
    assert {*JUDGES, *SILENT} - known == set()


@pytest.mark.parametrize(
    "words",
    [["-k", "not a"], ["-knot a"], ["--ignore=tests"], ["--deselect", "t"], ["-p", "no:planguard"], ["--collect-only"],
     ["-m", "not slow"], ["--planguard-stale=warn"], ["--setup-plan"]],
)  # fmt: skip
def test_options_that_take_tests_out(words: list[str]) -> None:
    """Whatever stood there before."""
    (found,) = added_options({"addopts": ["-q"]}, {"addopts": ["-q", *words]})
    assert found.what == f"adds {' '.join(words)}"
    assert not [*added_options({"addopts": words}, {"addopts": [*words, "-ra", "--tb=short", "-vv", "--maxfail=2"]})]


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
