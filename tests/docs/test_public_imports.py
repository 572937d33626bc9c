"""The documentation imports public names only, and the reference has all of them.

CONTRIBUTING.md is exempt from the rule for imports: its examples change planguard itself, and so import its internals.
So is examples/local_model, which records the examples.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from tools.site.names import MODULES, names_page

from ..support.one_item import in_one_item
from .pages import ROOT, name, pages

IMPORT = re.compile(r"^[ \t>.]*((?:from|import) pytest_planguard\b(?:[^(\n]*\([^)]*\)|[^(\n]*))", re.MULTILINE)
"""An import in a code block, on one line or several: `>>> from pytest_planguard import Contract`."""
DOTTED = re.compile(r"`[^`\n]*?\b(pytest_planguard(?:\.\w+)+)[^`\n]*`")
"""A name in running text: `pytest_planguard.extend.Dialect`."""
SOURCES = [
    *(path for path in pages() if path != ROOT / "CONTRIBUTING.md"),
    ROOT / "CHANGELOG.md",
    *(path for path in sorted((ROOT / "examples").rglob("*.py")) if path.parent.name != "local_model"),
    ROOT / "examples" / "README.md",
]


def imported(path: Path) -> Iterator[tuple[str, str]]:
    """Module and name of everything that a page or an example imports of the package."""
    text = path.read_text(encoding="utf-8")
    for statement in [text] if path.suffix == ".py" else _statements(text):
        for node in ast.walk(ast.parse(statement)):
            if isinstance(node, ast.Import):
                yield from ((alias.name, "") for alias in node.names if alias.name.startswith("pytest_planguard"))
            elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pytest_planguard"):
                yield from ((node.module or "", alias.name) for alias in node.names)


def _statements(text: str) -> Iterator[str]:
    for match in IMPORT.finditer(text):
        yield re.sub(r"(?m)^\.\.\. ?", "", match[1].partition("`")[0].rstrip("."))


def problem(module: str, imported_name: str) -> str:
    """What is wrong with an import; "" for a public one."""
    if module not in MODULES:
        return f"{module} is not public"
    known = ["", "*", *import_module(module).__all__]
    return "" if imported_name in known else f"{module} has no public name {imported_name}"


@in_one_item
@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_only_public_names_are_imported(path: Path) -> None:
    """Every import in a page or an example is of one of the three modules, and of a name that it lists."""
    assert [fault for module, one in imported(path) if (fault := problem(module, one))] == []


def test_imports_are_found() -> None:
    """The test above reads what is there: the modules that pages and examples import."""
    assert {module for path in SOURCES for module, _ in imported(path)} >= {
        "pytest_planguard",
        "pytest_planguard.extend",
    }
    assert problem("pytest_planguard.errors", "UsageError") == "pytest_planguard.errors is not public"
    assert problem("pytest_planguard", "Contracts") == "pytest_planguard has no public name Contracts"


@in_one_item
@pytest.mark.parametrize("path", pages(), ids=name)
def test_names_in_running_text_are_public(path: Path) -> None:
    """A dotted name in back quotes is one of the three modules, or a name of one."""
    for dotted in DOTTED.findall(path.read_text(encoding="utf-8")):
        module, _, last = dotted.rpartition(".")
        assert dotted in MODULES or problem(module, last) == "", dotted


@pytest.mark.slow
def test_the_reference_has_nothing_of_the_machine_that_builds_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A default such as `os.environ` would publish the builder's variables, and an address change each build."""
    monkeypatch.setenv("A_VARIABLE_OF_THE_BUILDER", "1")
    page = names_page()
    assert not re.findall(r"A_VARIABLE_OF_THE_BUILDER| at 0x", page)
    assert "environ: Mapping[str, str] = ...)" in page
    assert "severity: Severity = Severity.RETRY" in page
    assert "Contract(schema: Any, *, constraints: " in page


@pytest.mark.slow
def test_the_reference_has_every_name() -> None:
    """It is generated from the docstrings."""
    page = names_page()
    assert [name for module in MODULES for name in import_module(module).__all__ if f"#### `{name}`" not in page] == []
