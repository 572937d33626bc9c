"""The code of two trees compared: tests, hooks and plugins, and the cases and cassettes beside them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pytest_planguard.replay.files.reader import Cassette, read_cassette
from pytest_planguard.runs.compare.compare import compare
from pytest_planguard.runs.compare.run_diff import CaseDiff
from pytest_planguard.runs.gate.schema_changes import Effect, SchemaChange
from pytest_planguard.runs.gate.tree_changes import (
    FILES,
    TreeChanges,
    case_changes,
    cassette_changes,
    renamed_cases,
    shown_schemas,
    tree_changes,
)
from pytest_planguard.runs.gate.tree_facts import ContractFacts, Held, TestFacts, TreeFacts
from pytest_planguard.runs.gate.weakening import Weakening, Weight
from pytest_planguard.runs.model.run import CaseRow

from ...support.exchanges import chat, user, write
from ...support.one_item import in_one_item
from ...support.runs import bad, good, run

CONTRACTS = {label: ContractFacts(name) for label, name in (("t.py::a#1", "Ticket"), ("t.py::a#2", "Plan"))}
TREE = TreeFacts(CONTRACTS, {"t.py::a": TestFacts(("t.py::a#1", "t.py::a#2"))}, settings={"stale_fails": True})


def found(after: TreeFacts, before: TreeFacts = TREE, **renamed: str) -> list[tuple[str, Weight]]:
    """The weakenings as text, each with its weight."""
    return [(f"{one.kind}, {one}", one.weight) for one in tree_changes(before, after, renamed).weakenings]


def judged_by(*labels: str) -> TreeFacts:
    """The tree with these contracts for its test."""
    return replace(TREE, tests={"t.py::a": TestFacts(labels)})


def test_equal_trees_have_no_weakening() -> None:
    """Nor a changed contract, though each is held against its counterpart."""
    same = replace(TREE, held=(Held("t.py::a#1", "t.py::a#1"),))
    assert tree_changes(TREE, same, {}) == TreeChanges()


def test_what_could_not_be_looked_at_names_its_side() -> None:
    """A problem of either tree leaves the comparison open."""
    broken = replace(TREE, problems=("app.py: no module named x",))
    assert found(broken) == [("unknown, the candidate's code: app.py: no module named x", Weight.UNKNOWN)]
    assert found(TREE, broken) == [("unknown, the base's code: app.py: no module named x", Weight.UNKNOWN)]


def test_a_test_that_is_gone_is_a_weakening_unless_it_has_another_name() -> None:
    """A marked test that nobody collects judges nothing; a renamed one still does."""
    assert found(replace(TREE, tests={})) == [("tests, t.py::a: no longer collected as a marked test", Weight.WEAKENED)]
    moved = replace(TREE, tests={"t.py::b": TREE.tests["t.py::a"]})
    assert tree_changes(TREE, moved, {"t.py::a": "t.py::b"}).weakenings == ()


def test_each_new_reason_that_holds_a_failure_back_is_named() -> None:
    """Those that the base has too are not new, and one that is gone is no weakening."""
    held = replace(TREE, tests={"t.py::a": replace(TREE.tests["t.py::a"], held_back=("xfail", "skip"))})
    assert found(held) == [
        ("tests, t.py::a: xfail is new", Weight.WEAKENED),
        ("tests, t.py::a: skip is new", Weight.WEAKENED),
    ]
    assert found(held, held) == found(TREE, held) == []


def test_a_setting_of_a_marker_is_named_with_its_test() -> None:
    """The test is known by its name in the base."""
    lenient = replace(TREE, tests={"t.py::a": replace(TREE.tests["t.py::a"], settings={"match": "lenient"})})
    strict = replace(TREE, tests={"t.py::a": replace(TREE.tests["t.py::a"], settings={"match": "strict"})})
    assert found(lenient, strict) == [("marker, t.py::a: match strict → lenient", Weight.WEAKENED)]


def test_a_test_that_is_judged_by_fewer_contracts_lists_both() -> None:
    """By their names; the same number of others, or more, is compared contract by contract."""
    assert found(judged_by("t.py::a#2")) == [
        ("marker, t.py::a: judged by Plan, and by Ticket, Plan before", Weight.WEAKENED)
    ]
    twice = judged_by("t.py::a#1", "t.py::a#2", "t.py::a#1")
    assert found(TREE, twice) == [
        ("marker, t.py::a: judged by Ticket, Plan, and by Ticket, Plan, Ticket before", Weight.WEAKENED)
    ]
    assert found(judged_by(), judged_by("t.py::a#1")) == [
        ("marker, t.py::a: judged by no contract, and by Ticket before", Weight.WEAKENED)
    ]
    assert found(judged_by("t.py::a#1"), judged_by("t.py::a#2")) == found(TREE, judged_by("t.py::a#2")) == []
    assert found(judged_by("t.py::a#1"), TREE) == [
        ("marker, t.py::a: judged by Ticket, and by Ticket, Plan before", Weight.WEAKENED)
    ]


def test_planguard_that_is_switched_off_is_one_weakening() -> None:
    """Without the plugin no setting is known. A tree with problems may just not have been read."""
    off = replace(TREE, settings={}, hooks=("conftest.py: pytest_exception_interact",))
    assert found(off) == [("settings, pytest: planguard is switched off", Weight.WEAKENED)]
    silent = replace(TREE, settings={})
    assert found(silent, silent) == []
    assert "settings, pytest: planguard is switched off" not in dict(found(replace(off, problems=("app.py: no",))))


def test_settings_of_the_session_are_those_of_pytest() -> None:
    """With the new words of `addopts` before them."""
    after = replace(TREE, settings={"stale_fails": False, "addopts": ["-k", "not a"]})
    assert found(after) == [
        ("options, addopts: adds -k not a", Weight.WEAKENED),
        ("settings, pytest: stale_fails True → False", Weight.WEAKENED),
    ]


def test_new_hooks_and_changed_plugins_are_named_by_their_file() -> None:
    """A hook may turn a failure into a success; what changed code of a plugin does is unclear."""
    hooked = replace(TREE, hooks=("tests/conftest.py: pytest_runtest_makereport",), code={"tests/conftest.py": "2"})
    coded = replace(TREE, code={"tests/conftest.py": "1"})
    changed = "plugin, tests/conftest.py: its code changed, and pytest loads it before the tests"
    assert found(hooked, coded) == [
        ("hooks, tests/conftest.py: implements pytest_runtest_makereport", Weight.WEAKENED),
        (changed, Weight.UNCLEAR),
    ]
    assert found(hooked, hooked) == []
    assert found(TREE, coded) == [(changed, Weight.UNCLEAR)]


def test_each_changed_contract_is_listed_once_with_its_weakenings() -> None:
    """Two tests may name one contract; an unchanged one is left out."""
    held = Held("t.py::a#1", "t.py::a#1", accepts=("{}",))
    changes = tree_changes(TREE, replace(TREE, held=(held, held, Held("t.py::a#2", "t.py::a#2"))), {})
    assert [change.name for change in changes.contracts] == ["Ticket"]
    assert changes.weakenings == (
        Weakening("contract Ticket", "contract", "accepts 1 answer that the base refuses: {}"),
    )


@in_one_item
@pytest.mark.parametrize(
    ("path", "builds"),
    [
        (".github/workflows/ci.yml", True), (".github/actions/gate/action.yml", True), (".gitlab-ci.yml", True),
        (".gitlab-ci.yaml", True), (".pre-commit-config.yaml", True), ("tox.ini", True), ("app/tox.ini", True),
        ("noxfile.py", True), ("a/b/noxfile.py", True), ("Makefile", True), ("docs/Makefile", True),
        (".github/workflows", False), (".github/dependabot.yml", False), ("ci/.gitlab-ci.yml", False),
        ("mytox.ini", False), ("Makefile.am", False), ("pytest.ini", False),
    ],
)  # fmt: skip
def test_files_that_describe_builds(path: str, builds: bool) -> None:
    """Their lines can switch the gate off."""
    assert (FILES.fullmatch(path) is not None) is builds


def cases(base: list[CaseRow], candidate: list[CaseRow]) -> tuple[CaseDiff, ...]:
    """The compared cases of these rows."""
    return compare(run("a", base), run("b", candidate)).cases


def test_a_case_whose_cassette_moved_unchanged_is_renamed() -> None:
    """By the content of its file alone: a new cassette with other content is another case."""
    one, other, fresh = (good(name, cassette=f"{name}.yaml") for name in ("one", "other", "fresh"))
    compared = cases([one], [other, fresh])
    before, after = {"one.yaml": "1"}, {"other.yaml": "1", "fresh.yaml": "2"}
    assert renamed_cases(compared, before, after) == {"one": "other"}
    assert renamed_cases(compared, {"one.yaml": "3"}, after) == {}
    assert renamed_cases(compared, {}, {}) == {}
    assert renamed_cases(cases([one, other], [one, other]), before, after) == {}


def test_a_case_without_its_cassette_is_a_weakening() -> None:
    """It judges nothing any more, unless it has another name now."""
    compared = cases([good("a"), good("b")], [good("b"), good("c")])
    assert [str(one) for one in case_changes(compared, {})] == ["a: its cassette is gone"]
    assert [*case_changes(compared, {"a": "c"})] == []


def test_more_samples_are_a_weakening_if_one_of_them_is_bad() -> None:
    """A rate lets the bad one pass. As many samples, fewer, or good ones hide nothing."""
    one, two, three = [good("a")], [good("a"), bad("a")], [good("a"), bad("a"), good("a")]
    said = "a: 2 samples now: 1 of 2 samples good, and 1 of the base"
    assert [(one.kind, str(one)) for one in case_changes(cases(one, two), {})] == [("cassettes", said)]
    assert [*case_changes(cases(two, two[::-1]), {})] == [*case_changes(cases(three, two), {})] == []
    assert [*case_changes(cases(one, [good("a"), good("a")]), {})] == []
    assert [*case_changes(cases([], two), {})] == []


def cassette(folder: Path, name: str, answer: str = "yes", **extra: object) -> Cassette:
    """A recorded chat."""
    return read_cassette(write(folder / f"{name}.yaml", chat([user("hi")], answer, **extra)))


def test_a_cassette_that_was_changed_by_hand_is_named(tmp_path: Path) -> None:
    """New doubts count, and so does an end mark that is gone; a new recording has neither."""
    old, again = (cassette(tmp_path, name, name) for name in ("old", "again"))
    edited = tmp_path / "edited.yaml"
    edited.write_text(old.path.read_text().replace("old", "new"))
    bare = tmp_path / "bare.yaml"
    lines = old.path.read_text().splitlines(keepends=True)
    bare.write_text("".join(line for line in lines if not line.startswith("#")))
    by_hand, unmarked = read_cassette(edited), read_cassette(bare)
    doubt = "t: changed by hand after it was recorded: its end mark has another digest"
    assert [str(one) for one in cassette_changes({"t": old}, {"t": by_hand})] == [doubt]
    assert [str(one) for one in cassette_changes({}, {"t": by_hand})] == [doubt]
    assert [str(one) for one in cassette_changes({"t": old}, {"t": unmarked})] == [
        "t: its end mark, which reveals changes by hand, is gone"
    ]
    for before, after in ((by_hand, by_hand), (unmarked, unmarked), (unmarked, old), (old, again)):
        assert [*cassette_changes({"t": before}, {"t": after})] == []
    assert [*cassette_changes({"t": old}, {})] == []
    assert {one.kind for one in cassette_changes({"t": old}, {"t": by_hand, "u": unmarked})} == {"cassettes"}


def test_the_schemas_that_requests_showed_are_compared_by_name(tmp_path: Path) -> None:
    """Each tool's, and the answer's by its title. One that only one side has is left out."""

    def shown(name: str, kind: str, title: str, **extra: str) -> Cassette:
        schema = {"type": "object", "properties": {"x": {"type": kind}}}
        tools = [{"type": "function", "function": {"name": one, "parameters": schema}} for one in ("look", *extra)]
        form = {"name": "form", "schema": schema | ({"title": title} if title else {})}
        given = {"tools": tools, "response_format": {"type": "json_schema", "json_schema": form}}
        return cassette(tmp_path, name, **given)

    old, new, other = (
        shown("old", "integer", "Ticket", dig=""),
        shown("new", "number", "Ticket"),
        shown("other", "string", ""),
    )
    wider = SchemaChange("x", "integer → number", Effect.WIDER)
    assert shown_schemas({"t": old}, {"u": new}) == (("answer Ticket", wider), ("tool look", wider))
    assert [name for name, _ in shown_schemas({"t": other}, {"t": other, "u": new})] == ["tool look"]
    assert [name for name, _ in shown_schemas({"t": other}, {"t": shown("o", "null", "")})] == ["answer", "tool look"]
    assert shown_schemas({"t": old}, {"t": old}) == ()
