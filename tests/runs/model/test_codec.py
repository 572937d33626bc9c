"""Rows as JSON and back: the same value and the same bytes, and one clear error for what is no row."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from pydantic import ValidationError
from pydantic_core import core_schema

from pytest_planguard.contract.finding import Related
from pytest_planguard.document.path import Path
from pytest_planguard.document.positions import Span
from pytest_planguard.runs.model.broken_rules import Broken, broken_rules
from pytest_planguard.runs.model.codec import RowError, _validator, read_row, row_data, row_text
from pytest_planguard.runs.model.judged_answers import FedBackRow, Said
from pytest_planguard.runs.model.run import CaseRow, ProofRow

from ...support.document_paths import PATHS
from ...support.one_item import in_one_item
from ...support.rows import ROWS
from ...support.runs import attempt, bad, case, finding


@pytest.mark.slow
@given(ROWS)
def test_a_row_written_and_read_is_the_same_row(row: CaseRow) -> None:
    """Law: any row is one line of ASCII that reads as the same row, and is the same bytes when it is written again."""
    line = row_text(row)
    assert line.isascii()
    assert len(line.splitlines()) == 1
    read = read_row(CaseRow, line)
    assert read == row
    assert row_text(read) == line
    assert json.loads(line) == row_data(row)


def row_at(path: Path) -> CaseRow:
    """A row that names the path wherever a row names one."""
    wrong = replace(finding("type", path), related=(Related("first here", path, Span(1, 2)),))
    first = replace(attempt("{}", wrong), fed_back=(FedBackRow("type", path, "missing"),))
    proof = ProofRow("1", 1, "type", path, "proven", "tried")
    return case("a", first, attempt("{}", finding("type", path)), proofs=(proof,))


@given(PATHS)
def test_a_row_written_and_read_has_the_same_paths(path: Path) -> None:
    """Law: every finding, what was fed back of it and its proof keep their path, and so the rule its place."""
    row = row_at(path)
    read = read_row(CaseRow, row_text(row))
    assert read == row
    assert broken_rules([read]) == broken_rules([row])


def test_what_only_matching_needs_of_a_finding_is_not_kept() -> None:
    """The validator's own words and the listed values may be long, and no report shows them."""
    own = replace(finding("enum", ("a",)), validator_code="literal_error", owner="T", allowed=([1],))
    (read,) = read_row(CaseRow, row_text(case("a", attempt("{}", own)))).judged[0].attempts[0].findings
    assert read == finding("enum", ("a",))


@pytest.mark.parametrize("text", ["\ud800", "é", "\u2028", "\x00\x1b", "</script>", '"', "\\", "a\nb", "\U0001f600"])
def test_any_text_survives(text: str) -> None:
    """Half of a surrogate pair too, which no UTF-8 can hold."""
    row = case(text, replace(attempt(text), next_request=(Said("tool", text),)))
    line = row_text(row)
    assert line.isascii()
    assert read_row(CaseRow, line) == row


@pytest.mark.parametrize("keyed", ["0", "2024", "*", "[*]", ""])
def test_a_key_breaks_another_rule_than_an_item(keyed: str) -> None:
    """No key becomes a wildcard, and no index stays a number."""
    assert broken_rules([bad("a", path=("by", keyed, "n"))]) == (Broken("missing", ("by", keyed, "n")),)
    assert broken_rules([bad("a", path=("by", 0, "n"))]) == (Broken("missing", ("by", None, "n")),)


def test_rules_are_sorted_by_their_places_items_of_lists_too() -> None:
    """A wildcard beside a key is no error, and the order is that of the places as they are shown."""
    paths: tuple[Path, ...] = (("b",), ("a", 0), ("a", "x"), (0,), ())
    row = case("k", attempt("{}", *(finding("type", path) for path in paths)))
    assert [broken.place for broken in broken_rules([row])] == ["", "[*]", "a.x", "a[*]", "b"]


def changed(change: dict[str, Any]) -> str:
    """A row with other fields in its first finding."""
    data = row_data(bad("a"))
    data["judged"][0]["attempts"][0]["findings"][0] |= change
    return json.dumps(data)


PLACE = "judged[0].attempts[0].findings[0]."


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/by_year/2024", "path: a path lists keys and indices from 0, got '/by_year/2024'"),
        (["a", True], "path[1]: a path lists keys and indices from 0, got True"),
        (["a", -1], "path[1]: a path lists keys and indices from 0, got -1"),
        (
            ["a", 10**400],
            "path[1]: a path lists keys and indices from 0, got 100000000000000000000000000000000000000…",
        ),
        ([1.5], "path[0]: a path lists keys and indices from 0, got 1.5"),
        ([None], "path[0]: a path lists keys and indices from 0, got nothing"),
        ([["a"]], "path[0]: a path lists keys and indices from 0, got list of 1"),
    ],
)
def test_what_is_no_path_is_refused(path: object, said: str) -> None:
    """A spelling is not guessed at: it does not tell a key from an index."""
    with pytest.raises(RowError) as error:
        read_row(CaseRow, changed({"path": path}))
    assert str(error.value) == PLACE + said


@in_one_item
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("[]", "input should be an object, got list of 0"),
        ("{}", "key: the field is missing"),
        ('{"key": 7, "test": "t"}', "key: input should be a valid string, got 7"),
        ('{"key": "a", "test": "t", "line": "3"}', "line: input should be a valid integer, got '3'"),
        ('{"key": "a", "test": "t", "line": -3}', "line: input should be greater than or equal to 0, got -3"),
        (f'{{"key": "a", "test": "t", "line": 1{"0" * 400}}}', "line: input should be less than or equal to"),
        ('{"key": "a", "test": "t", "cost": 1e999}', "cost: input should be less than or equal to"),
        ('{"key": "a", "test": "t", "cost": NaN}', "cost: input should be"),
        (f'{{"key": "a", "test": "t", "line": 1{"0" * 5000}}}', "it is not JSON"),
        (f'{{"key": "\\ud800", "test": "t", "line": 1{"0" * 5000}}}', "it is not JSON"),
        ('{"key": "a", "test": "t", "judged": ' + "[" * 100_000, "it is not JSON"),
        ('{"key": "a", "test": "t", "samples": {"good": 3, "total": 2}}', "samples: value error, the good ones of a"),
        (changed({"kind": "odd"}), PLACE + "kind: input should be "),
        ("", "it is not JSON"),
    ],
)
def test_what_is_no_row_is_refused(line: str, said: str) -> None:
    """Wrong types, numbers without end and nesting without end: what was seen, and where."""
    with pytest.raises(RowError) as error:
        read_row(CaseRow, line)
    assert str(error.value).startswith(said), str(error.value)


DICTS_END_EARLY = "fail_fast" in core_schema.DictSchema.__annotations__
"""Earlier versions of pydantic list every error of a dict."""


@pytest.mark.parametrize("made", ['"judged": [{}]', '"stale": [{}]', *['"scores": {{{}}}'] * DICTS_END_EARLY])
def test_a_row_of_many_errors_ends_at_the_first(made: str) -> None:
    """Each error takes some hundred bytes: those of a million items would fill the memory."""
    items = ",".join(f'"{n}":[]' for n in range(1000)) if made.startswith('"scores') else ",".join("0" * 1000)
    with pytest.raises(ValidationError) as error:
        _validator(CaseRow).validate_json(f'{{"key": "a", "test": "t", {made.format(items)}}}', strict=True)
    assert error.value.error_count() < 10
