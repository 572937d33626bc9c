"""The reference names everything that there is, and nothing that there is not."""

from __future__ import annotations

import json
import re
from pathlib import Path

import click
import pytest

from pytest_planguard.cli.lazy_group import every_command
from pytest_planguard.cli.main import planguard
from pytest_planguard.contract.constraints.constraint_types import CONSTRAINT_TYPES
from pytest_planguard.contract.failure_kinds import FailureKind, Reask
from pytest_planguard.contract.feedback.style import FIELDS
from pytest_planguard.contract.feedback.styles import STYLES
from pytest_planguard.contract.finding import Finding
from pytest_planguard.contract.verdict import Verdict
from pytest_planguard.plugin import options
from pytest_planguard.plugin.fixtures.api import Planguard
from pytest_planguard.plugin.marker.marker_arguments import ARGUMENTS
from pytest_planguard.retry.judging.judging_options import DEFAULT_STATUS
from pytest_planguard.retry.outcomes import Grade, Outcome
from pytest_planguard.retry.results import Convergence

from ..support.lookalike import Lookalike
from ..support.warm import WarmExample
from .models import teach
from .pages import DOCS, blocks

REFERENCE = DOCS / "reference"


def text(page: str) -> str:
    """A page of the reference."""
    return (REFERENCE / f"{page}.md").read_text(encoding="utf-8")


def rows(page: str, head: str) -> dict[str, list[str]]:
    """Rows of the tables whose first head is `head`: name in the first cell (no back quotes) to the other cells."""
    found: dict[str, list[str]] = {}
    for table in re.findall(rf"(?m)^\| {re.escape(head)} \|.*\n\|[-| ]+\n((?:\|.*\n?)+)", text(page)):
        for line in table.splitlines():
            first, *others = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip("|"))]
            for name in re.findall(r"`([^`]+)`", first) or [first]:
                found[name] = others
    return found


class _Parser:
    """Takes down what the plugin declares."""

    def __init__(self) -> None:
        self.options: dict[str, tuple[str, ...]] = {}
        self.ini: set[str] = set()

    def getgroup(self, *_: str) -> _Parser:
        return self

    def addoption(self, name: str, **settings: object) -> None:
        choices = settings.get("choices", ())
        assert isinstance(choices, tuple)
        self.options[name] = choices

    def addini(self, name: str, *_: str, **__: object) -> None:
        self.ini.add(name)


def test_options_has_every_option_and_ini_value() -> None:
    """Both ways: what the plugin declares stands on the page, and what the page names is declared."""
    declared = _Parser()
    options.add(declared)  # type: ignore[arg-type]  # it only declares
    documented = rows("options", "option")
    assert documented.keys() == declared.options.keys()
    for name, choices in declared.options.items():
        if choices:
            assert re.findall(r"`(\w+)`", documented[name][0]) == list(choices)
    assert rows("options", "ini value").keys() == declared.ini


def test_constraints_has_every_type_with_its_parameters_and_an_example() -> None:
    """A heading for each type and no other; its section names each parameter and runs an example."""
    sections = dict(re.findall(r"(?ms)^### (\w+)\n(.*?)(?=^##|\Z)", text("constraints")))
    assert set(sections) == set(CONSTRAINT_TYPES.names)
    for name, section in sections.items():
        lacking = [param for param in CONSTRAINT_TYPES.lookup(name).params if param not in section]
        assert not lacking, f"{name}: {lacking}"
        assert ">>> wrong(" in section, name


def test_failure_kinds_has_every_kind_with_phase_and_reask() -> None:
    """Each kind with the phase and the word of the code."""
    documented = {name: cells[:2] for name, cells in rows("failure-kinds", "kind").items()}
    assert documented == {kind.value: [kind.phase.value, kind.reask.value] for kind in FailureKind}
    assert rows("failure-kinds", "reask").keys() == {word.value for word in Reask}


def test_checks_and_outcomes_has_every_check_outcome_and_grade() -> None:
    """Each check with what a violation counts as; each outcome; each grade."""
    documented = {name: cells[0] for name, cells in rows("checks-and-outcomes", "check").items()}
    assert documented == {name: status.value for name, status in DEFAULT_STATUS.items()}
    assert rows("checks-and-outcomes", "outcome").keys() == {outcome.value for outcome in Outcome}
    assert rows("checks-and-outcomes", "grade").keys() == {grade.value for grade in Grade}


def test_marker_and_fixture_has_every_argument_and_member() -> None:
    """Arguments of the marker, members of the fixture and of what `judge` returns, both ways."""
    assert rows("marker-and-fixture", "argument").keys() == {"*contracts", *ARGUMENTS}
    members = {name.partition("(")[0] for name in rows("marker-and-fixture", "member")}
    assert members == public(Planguard)
    fields = {name.partition("(")[0] for name in rows("marker-and-fixture", "field")}
    documented = fields | ({"check"} if "`check(" in text("marker-and-fixture") else set())
    assert documented == public(Convergence)


def test_findings_has_every_field() -> None:
    """Fields and properties of findings and verdicts, both ways."""
    finding, verdict = re.split(r"(?m)^## Verdict$", text("findings"))
    named = {part: set(re.findall(r"(?m)^\| `(\w+)", part)) for part in (finding, verdict)}
    assert named[finding] - {"info", "warn", "retry", "fail"} == public(Finding) - {"at"}
    assert named[verdict] == public(Verdict)


def test_feedback_styles_has_every_style_with_its_output() -> None:
    """A section for each style that shows its real text (the sessions are run), and each field of a template."""
    headings = re.findall(r"(?m)^## (\w+)$", text("feedback-styles"))
    assert [h for h in headings if h != "Templates"] == list(STYLES.names)
    templates = text("feedback-styles").partition("## Templates")[2]
    assert set(re.findall(r"`(\w+)`", "".join(re.findall(r"(?m)^\| (`.*?) \|", templates)))) == set(FIELDS)
    assert any(block.language == "pycon" for block in blocks(REFERENCE / "feedback-styles.md"))


COMMANDS = dict(every_command(planguard))


@pytest.mark.parametrize("name", [None, *COMMANDS])
def test_command_line_has_every_command_and_option(name: str | None) -> None:
    """Each command has a section that names its options, and no other."""
    heading = "planguard" if name is None else f"planguard {name}"
    sections = dict(re.findall(r"(?ms)^## ([^\n]+)\n(.*?)(?=^## |\Z)", text("command-line")))
    assert sections.keys() == {"planguard", *(f"planguard {command}" for command in COMMANDS)}
    context = click.Context(planguard)
    command = planguard if name is None else COMMANDS[name]
    taken = [p for p in command.get_params(context) if isinstance(p, click.Option)]
    real = {spelling for option in taken for spelling in (*option.opts, *option.secondary_opts)} | {"-h", "--help"}
    cells = re.findall(r"(?m)^\| (`-.*?) (?<!\\)\|", sections[heading])
    documented = {word for cell in cells for word in re.findall(r"`(-[\w-]+)", cell)}
    assert documented | {"-h", "--help"} == real


def test_command_line_has_every_exit_code() -> None:
    """Those of the help text."""
    assert rows("command-line", "exit code").keys() == {"0", "1", "2", "3"}


APP = """
import pytest
from openai import OpenAI
from pydantic import BaseModel, Field
from typing import Literal
from pytest_planguard import Contract

class Ticket(BaseModel):
    title: str
    priority: Literal["low", "medium", "high"]
    steps: list[str] = Field(min_length=2)

def ask(messages):
    return OpenAI().chat.completions.create(model="m", messages=messages)

@pytest.mark.planguard(Contract(Ticket))
def test_it(planguard):
    planguard.check('{"title": "a", "priority": "low", "steps": ["b", "c"]}')
    planguard.converge(ask, "a ticket")
"""


@pytest.mark.slow
def test_rows_has_every_field_of_a_real_row(lookalike: Lookalike) -> None:
    """A run with a retry and a checked answer: every key of its row stands in the table of its place, and no other."""
    teach(lookalike)
    env = {"OPENAI_BASE_URL": lookalike.base_url, "OPENAI_API_KEY": "none-needed"}
    run = WarmExample({"test_a.py": APP}).run_pytest("--planguard-record=all", env=env)
    assert run.outcomes == {"passed": 1}, run.output
    header, row = map(json.loads, run.example.read(".planguard/last.jsonl").splitlines())
    conversation = row["judged"][0]
    attempt = conversation["attempts"][0]
    expected = {"Header": header, "Rows": row, "judged[]": conversation, "judged[].attempts[]": attempt}
    expected["findings[]"] = attempt["findings"][0]
    parts = re.split(r"(?m)^## (\S+)$", text("rows"))
    documented = dict(zip(parts[1::2], parts[2::2], strict=True))
    assert documented.keys() == expected.keys()
    for place, value in expected.items():
        if place == "findings[]":
            value["inside"] = []  # only a finding in the text of a field has it
        named = {
            n for cell in re.findall(r"(?m)^\| (`.*?) \|", documented[place]) for n in re.findall(r"`(\w+)`", cell)
        }
        assert named == value.keys(), place
    _inner_keys_are_named(documented, row, attempt)


def _inner_keys_are_named(documented: dict[str, str], row: dict[str, object], attempt: dict[str, object]) -> None:
    """The small objects inside a row are told in the cell of their field."""
    inner = {
        "Rows": [row["asked"]],
        "judged[].attempts[]": [attempt["fed_back"], attempt["next_request"]],
        "findings[]": [attempt["findings"][0]["span"]],
    }
    for place, values in inner.items():
        for value in values:
            one = value[0] if isinstance(value, list) else value
            assert isinstance(one, dict)
            assert [key for key in one if f"`{key}`" not in documented[place]] == [], place


def public(cls: type) -> set[str]:
    """Public fields, properties and methods of a class."""
    fields = getattr(cls, "__dataclass_fields__", {})  # a field without a default is no attribute of the class
    return {name for name in {*dir(cls), *fields} if not name.startswith("_")}


def test_the_row_tables_say_the_schema_that_is_written() -> None:
    """The page is about the version that the plugin writes."""
    from pytest_planguard.runs.store.record import SCHEMA

    assert f"schema **{SCHEMA}**" in text("rows")
    assert Path(REFERENCE / "rows.md").is_file()
