"""Every code block of the documentation runs, or at least compiles and names what exists."""

from __future__ import annotations

import ast
import doctest
import importlib
from pathlib import Path

import pytest

from ..support.lookalike import Lookalike
from ..support.one_item import in_one_item
from .console import Console, commands, not_shown
from .models import teach
from .pages import Block, blocks, name, pages

PROJECTS = [page for page in pages() if any(b.value("file") for b in blocks(page))]
SESSIONS = [page for page in pages() if any(b.language == "pycon" for b in blocks(page))]
PYTHON = [b for page in pages() for b in blocks(page) if b.language == "python" and "replace" not in b.words]


@pytest.mark.slow
@pytest.mark.parametrize("page", PROJECTS, ids=name)
def test_a_pages_project_does_what_the_page_says(page: Path, tmp_path: Path, lookalike: Lookalike) -> None:
    """Files and commands of a page, in its order, give the exit codes, outcomes and output that it shows.

    An `excerpt` shows output before the page has built its project: the command that runs below must print it.
    """
    teach(lookalike)
    console = Console(tmp_path, lookalike)
    for block in blocks(page):
        if block.value("file"):
            console.write(block)
        elif block.language == "console" and "run" in block.words:
            console.run(block)
        elif block.language == "console" and "excerpt" in block.words:
            console.announce(block)
    assert not console.unproven, f"{name(page)} shows output of commands that it does not run: {console.unproven}"


@pytest.mark.parametrize("page", SESSIONS, ids=name)
def test_a_pages_interactive_sessions_print_what_they_show(page: Path) -> None:
    """The `pycon` blocks of a page are one session; a shown result is the real result."""
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE, verbose=False)
    names: dict[str, object] = {}
    printed: list[str] = []
    for block in blocks(page):
        if block.language == "pycon":
            session = doctest.DocTestParser().get_doctest(block.text, names, name(page), block.place, block.line)
            runner.run(session, out=printed.append, clear_globs=False)
            names = session.globs
    assert runner.summarize(verbose=False).failed == 0, "".join(printed)


@in_one_item
@pytest.mark.parametrize("block", PYTHON, ids=lambda b: b.place)
def test_a_python_block_compiles_and_imports_what_exists(block: Block) -> None:
    """Also a block that is only an excerpt is Python, and what it imports from us is there."""
    tree = ast.parse(block.text, block.place)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pytest_planguard"):
            module = importlib.import_module(node.module or "")
            for alias in node.names:
                assert hasattr(module, alias.name), f"{block.place}: {node.module} has no {alias.name}"


def test_every_console_block_shows_commands() -> None:
    """A block with output but no command would be run as nothing; `run`, `excerpt` without a project are skipped."""
    for page in pages():
        for block in blocks(page):
            if block.language == "console":
                assert commands(block.text), f"{block.place}: no line starts with '$ '"
            held = {"run", "excerpt"} & set(block.words)
            assert not held or page in PROJECTS, f"{block.place}: {held}, but the page has no file="


@pytest.mark.parametrize(
    ("shown", "missing"),
    [
        (["a 1", "c"], None),
        (["a [...]", "[...]", "c"], None),
        (["c", "a 1"], "a 1"),
        (["b"], "b"),
    ],
)
def test_shown_output_must_come_in_order(shown: list[str], missing: str | None) -> None:
    """The comparison itself can fail: a line that is absent, or in another order, is named."""
    assert not_shown(shown, "a 1\nbb\n  c\n") == missing
