"""Paths in rows: what is written as keys and indices is read as the same keys and indices."""

import json
from dataclasses import replace

import pytest
from hypothesis import given

from pytest_planguard.document.path import Path
from pytest_planguard.runs.model.broken_rules import Broken, broken_rules
from pytest_planguard.runs.model.foreign_fields import RowError
from pytest_planguard.runs.model.judged_answers import FedBackRow
from pytest_planguard.runs.model.row_read import read_row
from pytest_planguard.runs.model.row_write import row_data, row_of_text, row_text
from pytest_planguard.runs.model.run import CaseRow, ProofRow

from ...support.document_paths import PATHS
from ...support.runs import attempt, bad, case, finding


def row_at(path: Path) -> CaseRow:
    """A row that names the path wherever a row names one."""
    first = replace(attempt("{}", finding("type", path)), fed_back=(FedBackRow("type", path, "missing"),))
    proof = ProofRow("1", 1, "type", path, "proven", "tried")
    return case("a", first, attempt("{}", finding("type", path)), proofs=(proof,))


@given(PATHS)
def test_a_row_written_and_read_has_the_same_paths(path: Path) -> None:
    """Law: every finding, what was fed back of it and its proof keep their path, and so the rule its place."""
    row = row_at(path)
    text = row_text(row_data(row))
    for read in (row_of_text(text), json.loads(text)):
        assert read_row(read) == row
        assert broken_rules([read_row(read)]) == broken_rules([row])


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


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/by_year/2024", "the field 'path' must be a list, got '/by_year/2024'"),
        (["a", True], "the field 'path' must list keys and indices from 0, got True in it"),
        (["a", -1], "the field 'path' must list keys and indices from 0, got -1 in it"),
        ([1.0], "the field 'path' must list keys and indices from 0, got 1.0 in it"),
        ([None], "the field 'path' must list keys and indices from 0, got nothing in it"),
        ([["a"]], "the field 'path' must list keys and indices from 0, got list of 1 in it"),
    ],
)
def test_what_is_no_path_is_refused(path: object, said: str) -> None:
    """A spelling is not guessed at: it does not tell a key from an index."""
    data = row_data(bad("a"))
    data["conversations"][0]["attempts"][0]["findings"][0]["path"] = path
    with pytest.raises(RowError) as error:
        read_row(data)
    assert str(error.value) == said
