"""Views of data with holes: what is sound is read as ever, and anything else stops the check, however it is read."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import AfterValidator

import pytest_planguard
from pytest_planguard import Contract, custom
from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding, Severity
from pytest_planguard.contract.own_checks import (
    CRASHED,
    FRAMES,
    HOLE,
    MESSAGE_LIMIT,
    Stopped,
    asked,
    crash_finding,
    cut,
    fed_back,
    guarded,
    is_whole,
    raised_outside,
    was_stopped,
)

from ..support.one_item import in_one_item

DATA = {"a": 1, "bad": HOLE, "list": [1, HOLE, 3], "sound": {"x": [1, 2]}}
STOPS: dict[str, Callable[[Any], Any]] = {
    "item": lambda view: view["bad"],
    "get": lambda view: view.get("bad"),
    "values": lambda view: list(view.values()),
    "items": lambda view: list(view.items()),
    "dict": dict,
    "unpacked": lambda view: {**view},
    "keywords": lambda view: dict(**view),
    "united": lambda view: view | {"more": 1},
    "united from the left": lambda view: {"more": 1} | view,
    "updated": lambda view: {}.update(view),
    "equal": lambda view: view == {"a": 1},
    "equal from the left": lambda view: {"a": 1} == view,  # noqa: SIM300
    "text": str,
    "repr": repr,
    "formatted": lambda view: f"{view}",
    "json": json.dumps,
    "copied": lambda view: view.copy(),
    "shallow copy": copy.copy,
    "deep copy": copy.deepcopy,
    "pickled": pickle.dumps,
    "popped": lambda view: view.pop("bad"),
    "list item": lambda view: view["list"][1],
    "from the end": lambda view: view["list"][-2],
    "list": lambda view: list(view["list"]),
    "tuple": lambda view: tuple(view["list"]),
    "set": lambda view: set(view["list"]),
    "starred": lambda view: [*view["list"]],
    "sum": lambda view: sum(view["list"]),
    "sorted": lambda view: sorted(view["list"]),
    "reversed": lambda view: list(reversed(view["list"])),
    "slice": lambda view: sum(view["list"][1:]),
    "contains": lambda view: 3 in view["list"],
    "index": lambda view: view["list"].index(3),
    "count": lambda view: view["list"].count(1),
    "joined": lambda view: "".join(view["list"]),
    "added": lambda view: view["list"] + [1],
    "added to": lambda view: [1] + view["list"],
    "extended": lambda view: [].extend(view["list"]),
    "compared": lambda view: view["list"] < [2],
    "unpacked list": lambda view: (lambda *items: items)(*view["list"]),
    "list as json": lambda view: json.dumps(view["list"]),
}
READS: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "item": (lambda view: view["a"], 1),
    "get": (lambda view: view.get("none", 7), 7),
    "keys": (lambda view: list(view), ["a", "bad", "list", "sound"]),
    "contains": (lambda view: "bad" in view and "none" not in view, True),
    "length": (lambda view: (len(view), len(view["list"]), len(view.items())), (4, 3, 4)),
    "first member": (lambda view: next(iter(view.items())), ("a", 1)),
    "list item": (lambda view: (view["list"][0], view["list"][-1]), (1, 3)),
    "slice": (lambda view: list(view["list"][2:]), [3]),
    "found early": (lambda view: 1 in view["list"], True),
    "index": (lambda view: view["list"].index(3, 2), 2),
    "sound part": (lambda view: json.dumps(view["sound"]), '{"x": [1, 2]}'),
    "types": (lambda view: (isinstance(view, dict), isinstance(view["list"], list)), (True, True)),
    "sound part is itself": (lambda view: view["sound"] is DATA["sound"], True),
}


@in_one_item
@pytest.mark.parametrize("read", STOPS.values(), ids=STOPS)
def test_what_reads_a_hole_stops(read: Callable[[Any], Any]) -> None:
    """By methods, operators, functions, and by what reads an object or a list in C."""
    view = guarded(DATA)
    with pytest.raises(Stopped):
        read(view)
    assert was_stopped(view)


@in_one_item
@pytest.mark.parametrize(("read", "expected"), READS.values(), ids=READS)
def test_what_is_sound_is_read(read: Callable[[Any], Any], expected: Any) -> None:
    """Members, keys, lengths, and sound parts, which are plain values."""
    view = guarded(DATA)
    assert read(view) == expected
    assert not was_stopped(view)


def bad_of(view: Any) -> Any:
    """What a pattern finds."""
    match view:
        case {"bad": found}:
            return found


def test_a_pattern_reads_what_it_names() -> None:
    """`match` asks for the members that it names."""
    match guarded(DATA):
        case {"a": number}:
            assert number == 1
    with pytest.raises(Stopped):
        bad_of(guarded(DATA))


def test_what_is_said_before_a_hole_is_read_counts() -> None:
    """And nothing behind it, whatever the check catches."""

    def says(view: Any) -> Iterator[str]:
        yield f"a is {view['a']}"
        try:
            yield f"bad is {view['bad']}"
        except BaseException:
            yield "bad is bad"

    view = guarded(DATA)
    assert list(asked(lambda: says(view), view)) == ["a is 1"]


def test_a_check_that_returns_what_it_caught_says_nothing() -> None:
    """Its words come from a part that is not sound."""

    def says(view: Any) -> list[str]:
        try:
            return [view["bad"]]
        except BaseException:
            return ["no bad"]

    view = guarded(DATA)
    assert list(asked(lambda: says(view), view)) == []


def test_nothing_can_be_asked_of_what_is_not_sound_at_all() -> None:
    """Not even what it is."""
    view = guarded(HOLE)
    assert not is_whole(view)
    for read in (lambda: isinstance(view, dict), lambda: view["a"], lambda: view.get("a"), lambda: bool(view)):
        with pytest.raises(Stopped):
            read()


def test_data_without_a_hole_is_itself() -> None:
    """A check gets plain data then."""
    data = {"a": [1]}
    assert guarded(data) is data
    assert is_whole(guarded(data))


def test_a_guarded_list_has_what_a_list_has() -> None:
    """Also NaN, which equals nothing: a list looks for the value itself first."""
    nan = float("nan")
    assert nan in guarded({"numbers": [1, nan, HOLE]})["numbers"]


def test_cutting_leaves_the_data_as_it_is() -> None:
    """The verdict shows it."""
    data = {"a": [{"b": 1}, {"b": 2}]}
    wrong = Finding("type", ("a", 1, "b"), "", FailureKind.TYPE)
    nowhere = Finding("type", ("a", 2), "", FailureKind.TYPE)
    seen = cut(data, [wrong])
    assert seen["a"][0] is data["a"][0]
    assert seen["a"][1]["b"] is HOLE
    assert cut(data, [wrong, nowhere])["a"] is HOLE
    assert cut(data, [Finding("value_error", ("c",), "", FailureKind.RULE)]) is HOLE
    assert cut(data, [Finding("missing", ("c",), "", FailureKind.MISSING)])["c"] is HOLE
    assert data == {"a": [{"b": 1}, {"b": 2}]}


# Whose code raised: the user's own, planguard's, or that of a library which reads documents for it.


PACKAGE = Path(pytest_planguard.__file__).parent
SITE = Path(pytest.__file__).parent.parent
"""Where libraries are installed."""


def raised(*files: Path | str) -> Exception:
    """Return an exception that went through a function in each of some files, the last of which raised it."""
    call: Any = None
    for file in reversed(files):
        names: dict[str, Any] = {"call": call}
        body = "call()" if call else "raise ValueError('x' * 300)"
        exec(compile(f"def run():\n    {body}\n", str(file), "exec"), names)
        call = names["run"]
    with pytest.raises(ValueError, match=r"^x") as caught:
        call()
    return caught.value


@pytest.mark.parametrize("library", ["markdown_it", "yaml", "pydantic"])
def test_a_library_that_reads_documents_is_no_users_code(library: str) -> None:
    """An error raised by one of them below planguard is not of a check of the user."""
    assert not raised_outside(raised(PACKAGE / "document" / "x.py", SITE / library / "y.py"))
    assert raised_outside(raised(PACKAGE / "document" / "x.py", SITE / f"{library}s" / "y.py"))


def test_frames_before_planguard_do_not_count() -> None:
    """They are of whoever called it; its own, the standard library's and those of no file do not count either."""
    assert not raised_outside(raised("/app/main.py", PACKAGE / "x.py"))
    assert not raised_outside(raised(PACKAGE / "x.py", Path(__import__("json").__file__)))
    assert not raised_outside(raised(PACKAGE / "x.py", "<string>"))
    assert raised_outside(raised("/app/main.py", PACKAGE / "x.py", "/app/rules.py"))
    assert raised_outside(raised(PACKAGE / "x.py", "/app/rules.py", PACKAGE / "y.py"))


def test_the_finding_of_a_check_that_raised() -> None:
    """200 characters of its message, and the three innermost frames that are not planguard's."""
    files = [f"/app/{name}.py" for name in "abcd"]
    found = crash_finding("the rule adds_up", raised(*files), ("a",))
    assert (found.code, found.path, found.kind, found.severity) == (CRASHED, ("a",), FailureKind.RULE, Severity.FAIL)
    assert found.message == "the rule adds_up itself raised ValueError: " + "x" * 200
    assert (MESSAGE_LIMIT, FRAMES) == (200, 3)
    assert found.hint is not None
    assert [part.split(" ")[0] for part in found.hint.removeprefix("raised in ").split(", called in ")] == [
        "d.py:2",
        "c.py:2",
        "b.py:2",
    ]
    own = crash_finding("the rule", raised("/app/a.py", PACKAGE / "x.py"))
    assert own.hint is not None
    assert "x.py" not in own.hint
    assert "a.py:2 run" in own.hint


class _Unreadable(Exception):
    """Its text reads what was never set."""

    def __str__(self) -> str:
        return str(self.detail)  # type: ignore[attr-defined]


def test_a_check_may_raise_what_cannot_be_printed() -> None:
    """`Contract.check` never raises for any answer."""

    def broken(_: object) -> None:
        raise _Unreadable

    said = "raised _Unreadable: its message cannot be read"
    (found,) = Contract(None, constraints=[custom("", broken)]).check("{}").errors
    assert found.message == f"the check itself {said}"
    (found,) = Contract(Annotated[dict[str, int], AfterValidator(broken)]).check("{}").errors
    assert found.message == f"a validator of the schema {said}"


def test_a_rule_may_raise_an_exception_about_an_invalid_part() -> None:
    """Its text would read the part, as the check itself would."""

    def rule(data: object, _: object) -> list[Finding]:
        raise ValueError(data)

    (found,) = Contract(dict[str, int], rules=[rule]).check('{"n": "x"}').errors
    assert found.code == "type"


def test_what_no_answer_can_fix_is_not_fed_back() -> None:
    """Nor is what is not bad."""
    bad = Finding("rule", (), "no", FailureKind.RULE)
    warned = Finding("rule", (), "no", FailureKind.RULE, Severity.WARN)
    crashed = crash_finding("the rule", ValueError("no"))
    assert fed_back([warned, bad, crashed]) == [bad]
