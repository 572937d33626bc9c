"""What a test has reported to planguard, and what is noted of those who ask beside it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_planguard.plugin.case import Case
from pytest_planguard.plugin.case_parts.played_cassette import PlayedCassette
from pytest_planguard.plugin.marker.marker import Spec
from pytest_planguard.plugin.options import Settings

Made = Callable[..., Case]
SPEC = Spec((), 3)


@pytest.fixture
def made(request: pytest.FixtureRequest) -> Made:
    """Make a case of the running test."""

    def make(spec: Spec = SPEC, **settings: Any) -> Case:
        return Case(request.node, spec, Settings(**settings), "key")

    return make


def test_each_run_reports_anew(made: Made) -> None:
    """What the one before has reported is given back, each under its name."""
    case = made()
    case.checked.append("checked")  # type: ignore[arg-type]
    case.expected["1"] = "stuck"  # type: ignore[assignment]
    case.judged_already.add("1")
    before = case.begin_run()
    assert before == {
        **{name: [] for name in ("scored", "parts", "searches", "told", "measured", "driven", "observed")},
        "checked": ["checked"],
        "expected": {"1": "stuck"},
        "scores": {},
        "judged_already": {"1"},
    }
    assert (case.checked, case.expected, case.judged_already) == ([], {}, set())


def test_a_further_sample_starts_afresh_but_for_its_scores(made: Made) -> None:
    """The scores are those of the case."""
    case = made()
    case.conversations, case.stale, case.expired, case.proofs = ("a",), ("b",), ("c",), ("d",)  # type: ignore[assignment]
    case.failure = case.gave_up = "e"
    case.checked.append("checked")  # type: ignore[arg-type]
    case.keep_score("speed", 1)
    case.start_sample(2)
    assert (case.conversations, case.stale, case.expired, case.proofs) == ((), (), (), ())
    assert (case.failure, case.gave_up, case.checked) == (None, None, [])
    assert (case.scores, case.sample) == ({"speed": 1.0}, 2)


def test_senders_that_are_not_replayed(made: Made) -> None:
    """Children, other senders, clients in other languages, and requests before the test: a note for each."""
    case = made()
    assert (case.untracked, case.notes, case.children) == ((), (), ())
    case.recording = PlayedCassette(notes=("it was old",))
    case.endpoint = SimpleNamespace(notes=("it went around",))  # type: ignore[assignment]
    case.commands = SimpleNamespace(notes=("it was cut off",))  # type: ignore[assignment]
    assert case.notes == ("it was old", "it went around", "it was cut off")
    case.endpoint = case.commands = None
    case.earlier = ("httpx asked a.example.com at import",)
    assert case.untracked == ("before the test: httpx asked a.example.com at import",)
    case.clients = ("libcurl",)
    case.processes = SimpleNamespace(children=("curl", "node"), senders=("a thread",))  # type: ignore[assignment]
    assert case.children == ("curl", "node")
    every = (
        "child process: curl",
        "child process: node",
        "a thread",
        "client beyond Python: libcurl",
        "before the test: httpx asked a.example.com at import",
    )
    assert case.untracked == every
    assert case.notes == ("it was old", *(f"{who}: what it sends is not replayed or refused" for who in every))


@pytest.mark.parametrize("seen", ["clients", "earlier", "children", "senders"])
def test_any_of_them_is_enough(made: Made, seen: str) -> None:
    """Each by itself."""
    case = made()
    case.processes = SimpleNamespace(children=(), senders=())  # type: ignore[assignment]
    assert case.untracked == ()
    setattr(case if seen in ("clients", "earlier") else case.processes, seen, ("one",))
    assert len(case.untracked) == 1


def test_why_a_cassette_is_stale(made: Made) -> None:
    """Requests with an answer come first, then those without, then the age."""
    case = made()
    case.stale, case.expired = ("a",), ("c",)
    case.recording = PlayedCassette(stale_misses=("b",))
    assert case.stale_reasons == ("a", "b", "c")


def test_what_a_cassette_has_seen(made: Made) -> None:
    """An answered request or a missed one; without a cassette, nothing."""
    case = made()
    assert not case.asked
    for exchanges, misses, asked in (((), (), False), (("a",), (), True), ((), ("a",), True)):
        case.session = SimpleNamespace(exchanges=exchanges, misses=misses)  # type: ignore[assignment]
        assert case.asked is asked


def test_the_number_of_samples(made: Made, tmp_path: Path) -> None:
    """The command line's, else the marker's, else as many as were recorded without a gap."""
    own = Spec((), 3, cassette=str(tmp_path / "a.yaml"))
    for name in ("a.yaml", "a.2.yaml", "a.3.yaml", "a.5.yaml"):
        (tmp_path / name).write_text("")
    assert made(own).wanted_samples == 1
    case = made(own)
    case.session = SimpleNamespace()  # type: ignore[assignment]
    assert case.wanted_samples == 3
    assert (case.path.name, case.sample_path(4).name) == ("a.yaml", "a.4.yaml")
    case.sample = 2
    assert case.path.name == "a.2.yaml"
    for marked, asked, wanted in ((4, None, 4), (4, 2, 2), (None, 1, 1)):
        case = made(own._replace(samples=marked), samples=asked)
        assert case.wanted_samples == wanted
        case.session = SimpleNamespace()  # type: ignore[assignment]
        assert case.wanted_samples == wanted


def test_a_cassette_has_a_path_below_the_root_folder(made: Made, tmp_path: Path) -> None:
    """One that is elsewhere has its whole path."""
    assert made(Spec((), 3, cassette="a.yaml")).relative_path == "tests/plugin/a.yaml"
    elsewhere = tmp_path / "a.yaml"
    assert made(Spec((), 3, cassette=str(elsewhere))).relative_path == elsewhere.as_posix()


def test_threads_that_a_test_leaves_are_remembered(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not those that ran before it."""
    from pytest_planguard.replay.network import earlier_threads

    told: list[Any] = []
    monkeypatch.setattr(earlier_threads, "remember", lambda threads, test: told.append((threads, test)))
    case = made()
    case.threads = frozenset(threading.enumerate())
    case.remember_threads()
    assert told == []
    end = threading.Event()
    thread = threading.Thread(target=end.wait)
    thread.start()
    case.remember_threads()
    end.set()
    thread.join()
    assert told == [([thread], case.nodeid)]
