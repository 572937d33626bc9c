"""Real cassettes of many projects: retries are found, and none is reported where there is none."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from pytest_planguard.replay.files.reader import read_cassette
from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.retry.judging.judging_options import JudgeOptions
from pytest_planguard.retry.judging.step import StepKind
from pytest_planguard.wire.exchange import Exchange

from .known_rules import split


def rows(shared_data: Path) -> list[tuple[Path, int]]:
    """Each cassette with its number of retries, counted by hand."""
    folder = shared_data / "recordings"
    with (folder / "index.csv").open() as file:
        return [
            (folder / row["repo"].replace("/", "__") / row["path"], int(row["retry_steps"] or 0))
            for row in csv.DictReader(file)
        ]


@pytest.fixture(scope="module")
def recorded() -> dict[Path, Sequence[Exchange]]:
    """The exchanges of each cassette that a test has read."""
    return {}


@pytest.mark.slow
def test_no_retry_is_reported_where_there_is_none(shared_data: Path, recorded: dict[Path, Sequence[Exchange]]) -> None:
    """Over 461 cassettes, without any contract: all 65 retries in 48 of them, and not one more."""
    found, expected = {}, {}
    for path, steps in rows(shared_data):
        recorded[path] = read_cassette(path).exchanges
        kinds = judge(recorded[path], []).kinds
        name = "/".join(path.parts[-3:])
        found[name] = kinds.count(StepKind.PROBABLE_RETRY)
        expected[name] = steps
    assert {n: (found[n], expected[n]) for n in found if found[n] != expected[n]} == {}
    assert (sum(found.values()), sum(map(bool, found.values()))) == (65, 48)


@pytest.mark.slow
def test_without_framework_wordings_nothing_is_reported_either(
    shared_data: Path, recorded: dict[Path, Sequence[Exchange]]
) -> None:
    """Off, fewer retries are found, and still none where there is none."""
    options = JudgeOptions(known_wordings=False)
    found = []
    for path, steps in rows(shared_data):
        kinds = judge(recorded.get(path) or read_cassette(path).exchanges, [], options=options).kinds
        found.append(kinds.count(StepKind.PROBABLE_RETRY))
        assert found[-1] <= steps, path
    assert (sum(found), sum(map(bool, found))) == (42, 35)


@pytest.mark.slow
def test_findings_are_known_from_the_requests_own_schema_else_there_are_words(shared_data: Path) -> None:
    """The 65 retries by what is known of the rejected answer, with framework wordings and without."""
    with_retries = [path for path, steps in rows(shared_data) if steps]
    known, off = (sum((split(path, known_wordings=on) for path in with_retries), Counter()) for on in (True, False))
    assert known == {("findings", "located"): 25, ("errors", "told"): 21, ("words", "told"): 19}
    assert off == {
        ("findings", "located"): 21,
        ("findings", "weak"): 4,
        ("errors", "told"): 21,
        ("words", "not told"): 19,
    }
