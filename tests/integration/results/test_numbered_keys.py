"""Objects keyed by a number: a known failure at the key "2024" covers nothing at "2025", on any way to the list."""

import json
import re
from pathlib import Path

import pytest

from pytest_planguard.testing.example import Example

from ...support.commands import run as command
from ...support.lookalike import Lookalike
from ..projects import project, run

TESTS = """
import os
from pydantic import BaseModel
from pytest_planguard import Contract
import ask

class Years(BaseModel):
    by_year: dict[str, int]
    rows: list[dict[str, int]] = []

YEARS = Contract(Years)

@pytest.mark.planguard(YEARS)
def test_years(planguard):
    planguard.check(os.environ["ANSWER"])
"""
RECORDED = TESTS.replace(
    'planguard.check(os.environ["ANSWER"])', 'ask.plain([{"role": "user", "content": os.environ["TOPIC"]}])'
)
ASK = """
import os
import httpx2

def plain(messages):
    answered = httpx2.post(os.environ["LOOKALIKE"] + "/v1/chat/completions", json={"model": "m", "messages": messages})
    return answered.json()["choices"][0]["message"]["content"]
"""
FILE = "known.json"
LISTED = ("-q", f"--planguard-baseline={FILE}")


def answer(*wrong: str) -> str:
    """An answer in which these years have no number."""
    return json.dumps({"by_year": {year: "x" if year in wrong else 1 for year in ("0", "2024", "2025")}})


GOOD, BAD, OTHER = answer(), answer("2024"), answer("2025")


def paths(example: Example) -> list[list[str | None]]:
    """What the list names."""
    return [entry["path"] for entry in json.loads(example.read(FILE))["failures"]]


def test_a_known_failure_at_one_key_covers_no_other_key() -> None:
    """The list names the key; the same rule at another key is a new failure, and the listed one is gone."""
    listed = project(TESTS, ask=ASK).run_pytest(*LISTED, "--planguard-baseline-update", env={"ANSWER": BAD}).example
    assert paths(listed) == [["by_year", "2024"]]
    known = listed.run_pytest(*LISTED, env={"ANSWER": BAD})
    assert (known.returncode, dict(known.outcomes)) == (0, {"xfailed": 1})
    new = listed.run_pytest(*LISTED, env={"ANSWER": OTHER})
    assert (new.returncode, dict(new.outcomes)) == (1, {"failed": 1})
    assert re.search(r'not listed:\n *test_app.py::test_years: type at by_year\["2025"\]\n', new.stdout), new.stdout
    assert re.search(r'gone:\n *test_app.py::test_years: type at by_year\["2024"\]\n', new.stdout), new.stdout


def test_an_item_of_a_list_is_any_item_and_a_key_called_a_star_is_a_key() -> None:
    """The index may change; the key below it may not, though it reads like a wildcard or an index."""
    answers = [
        json.dumps({"by_year": {}, "rows": [*({},) * at, {key: "x"}]}) for at, key in ((0, "*"), (2, "*"), (0, "0"))
    ]
    listed = project(TESTS, ask=ASK).run_pytest(*LISTED, "--planguard-baseline-update", env={"ANSWER": answers[0]})
    assert paths(listed.example) == [["rows", None, "*"]]
    codes = [listed.example.run_pytest(*LISTED, env={"ANSWER": text}).returncode for text in answers]
    assert codes == [0, 0, 1]


def test_kept_runs_are_compared_key_by_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A kept run tells what it was: one key is fixed and another breaks, and a list of the first covers no second."""
    example = project(TESTS, ask=ASK)
    for name, text in (("good", GOOD), ("one", BAD), ("two", OTHER)):
        example = example.run_pytest("-q", f"--planguard-save={name}", env={"ANSWER": text}).example
    example.write(tmp_path)
    monkeypatch.chdir(tmp_path)
    compared = command("diff", "one", "two", "--fail-on", "worse")
    assert compared.exit_code == 1
    assert compared.stdout.endswith("FAIL: 1 failing case breaks another rule\n")
    assert 'by_year["2025"]: 1 → "x" (breaks type)' in compared.stdout
    (case,) = json.loads(command("diff", "one", "two", "--format", "json").stdout)["cases"]
    assert case["breaks"] == [{"rule": "type", "path": ["by_year", "2025"]}]
    assert case["fixes"] == [{"rule": "type", "path": ["by_year", "2024"]}]
    assert [finding["path"] for finding in case["findings"]] == [["by_year", "2025"]]
    command("diff", "good", "one", "--baseline", FILE, "--baseline-update")
    held = [command("diff", "good", name, "--baseline", FILE).exit_code for name in ("one", "two")]
    assert held == [0, 1]


@pytest.mark.parametrize("first", ["pytest", "check"])
def test_one_list_serves_the_tests_and_their_recordings(
    first: str, lookalike: Lookalike, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever wrote it: the entry has the same path, and it covers the same key for both."""
    for topic, text in (("topic A", BAD), ("topic B", OTHER)):
        lookalike.script(json.loads(text), json.loads(text), when=topic)
    recorded = {
        topic: run(project(RECORDED, ask=ASK), lookalike, "-q", "--planguard-record=missing", TOPIC=topic).example
        for topic in ("topic A", "topic B")
    }
    monkeypatch.chdir(tmp_path)
    check = ("check", "cassettes", "-c", "test_app.py:YEARS", "--baseline", FILE)
    recorded["topic A"].write(tmp_path)
    if first == "check":
        assert command(*check, "--baseline-update").exit_code == 1
        recorded = {topic: example.with_files({FILE: Path(FILE).read_bytes()}) for topic, example in recorded.items()}
    else:
        updated = run(recorded["topic A"], lookalike, *LISTED, "--planguard-baseline-update", TOPIC="topic A").example
        recorded = {topic: example.with_files({FILE: updated.read(FILE)}) for topic, example in recorded.items()}
    assert paths(recorded["topic A"]) == [["by_year", "2024"]]
    codes = {}
    for topic, example in recorded.items():
        example.write(tmp_path)
        codes[topic] = (run(example, lookalike, *LISTED, TOPIC=topic).returncode, command(*check).exit_code)
    assert codes == {"topic A": (0, 0), "topic B": (1, 1)}
