"""The reference names everything that there is, and nothing that there is not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pytest_planguard.cli.commands import every_command
from pytest_planguard.cli.main import planguard
from pytest_planguard.contract.constraints.constraint_types import CONSTRAINT_TYPES
from pytest_planguard.plugin.fixtures.api import Planguard
from pytest_planguard.plugin.marker.marker_arguments import ARGUMENTS
from pytest_planguard.plugin.options import INI, OPTIONS
from pytest_planguard.retry.judging.judging_options import DEFAULT_STATUS
from pytest_planguard.retry.outcomes import Grade, Outcome
from pytest_planguard.retry.results import Convergence
from tools.site.tables import PAGES

from ..support.one_item import in_one_item
from .pages import DOCS, name, pages
from .test_forms import unknown

NO_SETTINGS = {f"planguard_{one}" for one in ["case", "model", "snapshot", "endpoint", "again", "outcome", "attempts"]}
"""Fixtures, and properties in JUnit XML."""


def text(page: str) -> str:
    """A page by its name without the suffix."""
    return (DOCS / f"{page}.md").read_text(encoding="utf-8")


def rows(page: str, head: str) -> dict[str, list[str]]:
    """Rows of the tables whose first head is `head`: name in the first cell (no back quotes) to the other cells."""
    found: dict[str, list[str]] = {}
    for table in re.findall(rf"(?m)^\| {re.escape(head)} \|.*\n\|[-| ]+\n((?:\|.*\n?)+)", text(page)):
        for line in table.splitlines():
            first, *others = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip("|"))]
            for cell in re.findall(r"`([^`]+)`", first) or [first]:
                found[cell] = others
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_a_generated_page_has_a_title_and_a_body(name: str) -> None:
    """Each page that the site adds to those of docs/."""
    title, _, body = PAGES[name]().partition("\n")
    assert title.startswith("# ")
    assert len(body) > 500


def test_the_command_line_has_every_command() -> None:
    """A section for each, with the help that the command prints."""
    page = PAGES["reference/command-line.md"]()
    assert [name for name, _ in every_command(planguard) if f"## planguard {name}\n" not in page] == []


def test_the_rows_are_those_of_the_schema_that_is_written() -> None:
    """Header and rows, and the values that they hold."""
    page = PAGES["reference/rows.md"]()
    assert {"RunHeader", "CaseRow", "Finding"} <= set(re.findall(r"(?m)^## (\w+)$", page))


def test_constraints_has_every_type_with_its_parameters_and_an_example() -> None:
    """A row for each type, each parameter somewhere, and a run example for each helper."""
    page = text("guides/constraints")
    for kind in CONSTRAINT_TYPES.names:
        helper = {"range": "in_range"}.get(kind, kind)
        assert f"`{helper}(" in page, kind
        assert f">>> wrong({helper}(" in page, kind
        assert [param for param in CONSTRAINT_TYPES.lookup(kind).params if f"`{param}`" not in page] == [], kind


def test_checks_and_outcomes_has_every_check_outcome_and_grade() -> None:
    """Each check with what a violation counts as; each outcome; each grade."""
    documented = {name: cells[0] for name, cells in rows("guides/feedback", "check").items()}
    assert documented == {name: status.value for name, status in DEFAULT_STATUS.items()}
    assert rows("reference/marker", "outcome").keys() == {outcome.value for outcome in Outcome}
    assert rows("guides/feedback", "result").keys() == {grade.value for grade in Grade}


def test_marker_and_fixture_has_every_argument_and_member() -> None:
    """Arguments of the marker, members of the fixture and of what `judge` returns, both ways."""
    assert rows("reference/marker", "argument").keys() == {"*contracts", *ARGUMENTS}
    members = {name.partition("(")[0] for name in rows("reference/marker", "member")}
    assert members == public(Planguard)
    fields = {name.partition("(")[0] for name in rows("reference/marker", "field")}
    documented = fields | ({"check"} if "`check(" in text("reference/marker") else set())
    assert documented == public(Convergence)


def public(cls: type) -> set[str]:
    """Public fields, properties and methods of a class."""
    fields = getattr(cls, "__dataclass_fields__", {})  # a field without a default is no attribute of the class
    return {name for name in {*dir(cls), *fields} if not name.startswith("_")}


@in_one_item
@pytest.mark.parametrize("page", pages(), ids=name)
def test_a_page_names_commands_and_settings_that_exist(page: Path) -> None:
    """Options of `planguard` and pytest, and ini values, in blocks and in running text."""
    text = page.read_text(encoding="utf-8")
    commands = re.findall(r"(?m)(?:^\$ |^|`)planguard ((?:[\w-]+ )?[^`\n#|]*)", text)
    assert [line for line in commands if unknown(line.partition(" -- ")[0])] == []
    assert set(re.findall(r"--planguard-[\w-]*\w", text)) <= OPTIONS.keys() | {"--planguard-max-attempts"}
    settings = {f"planguard_{one}" for one in INI} | NO_SETTINGS
    assert set(re.findall(r"(?<![\w.-])planguard_[a-z_]*[a-z]", text)) <= settings
