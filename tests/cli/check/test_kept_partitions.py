"""What `check --resume` has judged already counts only for the same contracts, their code and the same options."""

from __future__ import annotations

import importlib
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_planguard.cli.check.check_logs import _kept
from pytest_planguard.cli.check.log_options import NamedJudge

CONTRACT = """
from pytest_planguard import Contract

def short(answer):
    return [] if len(answer) < 3 else ["be short"]

LIST = Contract({"type": "array"}, rules=[short])
"""
CHANGED = CONTRACT.replace("< 3", "< 4")
"""The same contract but for the code of its rule."""


def folder_of(make: NamedJudge) -> str:
    """Return the name of the folder in which results of this judge are kept."""
    return _kept(make, make()).folder.name


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A project with a contract in a file and an extension in a module."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "lists.py").write_text(CONTRACT, "utf-8")
    (tmp_path / "wider.py").write_text("def register(registrations):\n    pass\n", "utf-8")


def test_results_are_kept_for_the_same_judge() -> None:
    """Twice the same options and code: one folder."""
    make = NamedJudge(("lists.py:LIST",))
    assert folder_of(make) == folder_of(make)


@pytest.mark.parametrize("spec", ["lists.py:LIST", "lists:LIST"])
def test_a_changed_rule_is_judged_anew(spec: str, tmp_path: Path) -> None:
    """Whether the contract is named by its file or by its module."""
    importlib.reload(importlib.import_module("lists"))
    before = folder_of(NamedJudge((spec,)))
    (tmp_path / "lists.py").write_text(CHANGED, "utf-8")
    assert folder_of(NamedJudge((spec,))) != before


def test_a_changed_extension_is_judged_anew(tmp_path: Path) -> None:
    """Its checks may decide about every answer."""
    make = NamedJudge(("lists.py:LIST",), extensions=("wider",))
    before = folder_of(make)
    with (tmp_path / "wider.py").open("a", encoding="utf-8") as module:
        module.write("\n# another check\n")
    assert folder_of(make) != before


def test_other_options_are_judged_anew() -> None:
    """Such as the contract, its attempts, and how many rows are kept."""
    make = NamedJudge(("lists.py:LIST",))
    others = [
        replace(make, specs=()),
        replace(make, extract="whole"),
        replace(make, options={"max_attempts": 2}),
        replace(make, rows="all"),
        replace(make, most=10),
    ]
    assert len({folder_of(one) for one in (make, *others)}) == 6
