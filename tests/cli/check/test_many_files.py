"""`planguard check` over several cassettes: words that answered findings at different places in different files."""

import json
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from ...support.cassettes import GOOD, SYSTEM, TASK, exchange, write
from ...support.commands import run

NO_AGE, NO_NAME = '{"name": "Ada"}', '{"age": 36}'
PROSE = "I do not know anybody."
VAGUE = "¿Qué JSON es este?"
"""Names no place, number, value or rule: it may mean the whole answer."""


def talk(bad: str, words: str) -> list[dict[str, Any]]:
    """Return a conversation in which these words follow a bad answer."""
    retry = [SYSTEM, TASK, {"role": "assistant", "content": bad}, {"role": "user", "content": words}]
    return [exchange([SYSTEM, TASK], bad), exchange(retry, GOOD)]


def check(*arguments: str) -> Result:
    """Run `planguard check` with JSON output."""
    return run("check", *arguments, "-c", "models.py:Person", "--format", "json")


def gradings(result: Result) -> list[tuple[str, str, str | None]]:
    """Return file, grade and reason of every finding, in the printed order."""
    return [
        (file["path"], graded["how"] or graded["grade"], graded["reason"])
        for file in json.loads(result.output)["files"]
        for row in file["rows"]
        for conversation in row["judged"]
        for attempt in conversation["attempts"]
        for graded in attempt["fed_back"]
    ]


def test_words_that_name_nothing_and_answered_two_places_in_two_files_are_lost(here: Path) -> None:
    """Quotations apart, they are the same; alone, the first file's finding is unclear."""
    write(here / "a.yaml", talk(PROSE, f"{VAGUE} 'nobody'"))
    write(here / "b.yaml", talk(NO_NAME, VAGUE))
    alone, both = check("a.yaml"), check("a.yaml", "b.yaml")
    assert [grade for _, grade, _ in gradings(alone)] == ["unclear"]
    assert gradings(both)[0] == (
        "a.yaml",
        "missing",
        "these words answered both (whole answer) and name (in another cassette)",
    )
    assert (alone.exit_code, both.exit_code) == (0, 1)


@pytest.mark.parametrize("words", ["Something is missing.", "¿Qué JSON es este, 2?", "quux `age`"])
def test_words_that_hold_a_rule_a_number_or_a_place_are_never_held_against_each_other(here: Path, words: str) -> None:
    """Whatever else they answered: of each finding they may say what is wrong."""
    write(here / "a.yaml", talk(PROSE if "JSON" in words else NO_AGE, words))
    write(here / "b.yaml", talk(NO_NAME, words))
    assert "another cassette" not in check("a.yaml", "b.yaml").output


@pytest.mark.slow
def test_the_order_of_files_makes_no_difference(here: Path) -> None:
    """A file before, between or behind those in doubt: the same grades, in the given order."""
    write(here / "a.yaml", talk(PROSE, VAGUE))
    write(here / "b.yaml", talk(NO_NAME, VAGUE))
    write(here / "good.yaml", talk(NO_AGE, "age: Field required"))
    (here / "broken.yaml").write_text("interactions: [", encoding="utf-8")
    names = ["a.yaml", "b.yaml", "good.yaml", "broken.yaml"]
    for order in permutations(names):
        result = check(*order)
        assert [file["path"] for file in json.loads(result.output)["files"]] == list(order)
        told = {name: grade for name, grade, _ in gradings(result)}
        assert told == {"a.yaml": "missing", "b.yaml": "missing", "good.yaml": "verbatim"}


@pytest.mark.parametrize("words", [VAGUE, "Otra vez, por favor: algo falta."])
def test_words_that_answered_one_place_only_stay_unread(here: Path, words: str) -> None:
    """The same fault in two cassettes is answered alike by every app."""
    write(here / "a.yaml", talk(NO_AGE, words))
    write(here / "b.yaml", talk(NO_AGE, words))
    assert len({grade for _, grade, _ in gradings(check("a.yaml", "b.yaml"))}) == 1
    assert all("another cassette" not in (reason or "") for *_, reason in gradings(check("a.yaml", "b.yaml")))


def test_what_is_placed_is_never_overruled(here: Path) -> None:
    """Words that name both fields each time say where the fault is."""
    for name, bad in (("a.yaml", NO_AGE), ("b.yaml", NO_NAME)):
        write(here / name, talk(bad, "quux `age`, quux `name`"))
    assert {grade for _, grade, _ in gradings(check("a.yaml", "b.yaml"))} == {"partial"}
