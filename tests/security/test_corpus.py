"""What once failed, or would fail again without its bound, and a few generated inputs for every public entry."""

from pathlib import Path

import pytest

from tools.fuzz.inputs import Inputs
from tools.fuzz.run import CORPUS, Tally, feed, turn
from tools.fuzz.targets import targets

from ..support.cost import no_hang
from ..support.one_item import in_one_item

TARGETS = {target.name: target for target in targets()}
KEPT = sorted(path for path in CORPUS.rglob("*") if path.is_file())


@in_one_item
@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.name} {path.name}")
def test_what_once_failed_is_read_or_refused(path: Path) -> None:
    """Each entry reads it or ends in an error that it documents."""
    text = path.read_bytes().decode("utf-8", "surrogatepass")
    with no_hang():
        feed(TARGETS[path.parent.name], text, Tally())


@pytest.mark.slow
@pytest.mark.parametrize("name", TARGETS)
def test_every_entry_takes_generated_inputs(name: str) -> None:
    """Ten of a fixed seed: the whole run is `make fuzz`."""
    tally = Tally()
    turn(TARGETS[name], Inputs(TARGETS[name].seeds(), 20261122), tally, 10)
    assert tally.failures == []
    assert tally.inputs >= 10


def test_an_input_that_fails_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The smallest one goes to the corpus of its entry, and the exit code of a run is 1."""
    from dataclasses import replace

    def fails(text: str, _folder: Path) -> None:
        assert "{" not in text

    monkeypatch.setattr("tools.fuzz.run.CORPUS", tmp_path / "corpus")
    monkeypatch.setattr("tools.fuzz.run.ROOT", tmp_path)
    tally = Tally()
    turn(replace(TARGETS["check"], run=fails), Inputs(["[{}]"], 1), tally, 200)
    (kept,) = (tmp_path / "corpus" / "check").iterdir()
    assert kept.read_text("utf-8") == "{"
    assert tally.failures[0].startswith(f"corpus/check/{kept.name}: AssertionError")


def test_an_input_is_slow_only_if_it_is_so_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first time may pay for something else: a cache, a collection of garbage."""
    from dataclasses import replace

    clock, costs = [0.0], iter([5.0])

    def once_slow(_text: str, _folder: Path) -> None:
        clock[0] += next(costs, 0.01)

    monkeypatch.setattr("tools.fuzz.run.CORPUS", tmp_path / "corpus")
    monkeypatch.setattr("tools.fuzz.run.time.process_time", lambda: clock[0])
    tally = Tally()
    turn(replace(TARGETS["check"], run=once_slow), Inputs(["a"], 1), tally, 3)
    assert tally.failures == []
    assert tally.dearest == pytest.approx(0.01)
