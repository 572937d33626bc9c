"""The page about the architecture names what is there, in the order that import-linter enforces."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import grimp
import pytest

from tools.architecture_picture import PICTURE, layers, picture

from ..support.one_item import in_one_item
from .pages import DOCS, ROOT

PAGE = (DOCS / "contributing" / "architecture.md").read_text(encoding="utf-8")
PACKAGE = ROOT / "pytest_planguard"
WAY = sorted(set(re.findall(r"`((?:[a-z]+\.)+[a-z_]+)`", PAGE.partition("## The way")[2])))


def cells(head: str) -> list[str]:
    """First cells of the tables with this head, in the order of the page."""
    tables = re.findall(rf"(?m)^\| {head} \|.*\n\|[-|]+\n((?:\|.*\n)+)", PAGE)
    return [line.split("|")[1].strip() for table in tables for line in table.splitlines()]


def folders_with_modules() -> set[str]:
    """Folders below the packages that hold a module, such as `retry/judging`."""
    files = [file for file in PACKAGE.rglob("*.py") if file.name != "__init__.py"]
    return {file.parent.relative_to(PACKAGE).as_posix() for file in files if file.parent.parent != PACKAGE} - {"."}


def test_the_page_states_the_layers_of_the_import_contract() -> None:
    """The same packages in the same order; what may stand beside another stands in one row."""
    stated = [set(re.findall(r"`(\w+)`", cell)) for cell in cells("layer")]
    assert stated == [set(layer) for layer in layers()]


def test_no_import_goes_up() -> None:
    """The order of the page against the graph of imports that are run, from every module of a package to any other."""
    graph = grimp.build_graph("pytest_planguard", exclude_type_checking_imports=True, cache_dir=None)
    order = {name: row for row, cell in enumerate(cells("layer")) for name in re.findall(r"`(\w+)`", cell)}
    wrong = []
    for importer in graph.modules:
        for imported in graph.find_modules_directly_imported_by(importer):
            here, there = (module.split(".")[1] if "." in module else None for module in (importer, imported))
            if here in order and there in order and here != there and order[here] >= order[there]:
                wrong.append(f"{importer} -> {imported}")
    assert wrong == []


def test_the_page_has_every_folder_and_no_other() -> None:
    """Each folder that holds modules has a row, below the heading of its package."""
    named = [cell.strip("`") for cell in cells("folder")]
    assert len(named) == len(set(named))
    assert set(named) == folders_with_modules()
    parts = dict(re.findall(r"(?ms)^### `(\w+)`\n(.*?)(?=^##)", PAGE))
    assert {name: set(re.findall(r"(?m)^\| `(\w+)/", part)) for name, part in parts.items()} == {n: {n} for n in parts}


@in_one_item
@pytest.mark.parametrize("module", WAY)
def test_each_module_on_the_way_of_a_request_exists(module: str) -> None:
    """Also those that the picture names."""
    assert importlib.util.find_spec(f"pytest_planguard.{module}") is not None


def test_the_steps_of_the_page_are_those_of_the_picture() -> None:
    """Eleven steps, each with the module of its number in the picture."""
    steps = dict(re.findall(r"(?m)^(\d+)\. (.*(?:\n   .*)*)", PAGE))
    drawn = re.findall(r">(\d+)  ([\w.+ ]+)</text>", PICTURE.read_text(encoding="utf-8"))
    assert list(steps) == [number for number, _ in drawn]
    for number, names in drawn[1:]:
        assert all(f"`{name}`" in steps[number] for name in names.split(" + ")), number


def test_the_picture_is_that_of_the_tree() -> None:
    """Write it again with: python -m tools.architecture_picture."""
    assert PICTURE.read_text(encoding="utf-8") == picture()


def test_the_public_modules_are_stated() -> None:
    """The rule that everything else may move."""
    rule = PAGE.partition("## What is public")[2].partition("\n## ")[0]
    assert re.findall(r"`(pytest_planguard[\w.]*)`", rule) == [
        "pytest_planguard",
        "pytest_planguard.extend",
        "pytest_planguard.testing",
    ]
    assert "Everything else may move" in rule
    assert Path(PACKAGE / "testing").is_dir()
