"""Correct apps of frameworks pass and the same apps without their feedback fail, by their cassettes alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_planguard.replay.files.reader import read_cassette
from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.retry.judging.judging_options import JudgeOptions
from pytest_planguard.retry.results import Convergence
from tools.frameworks import task

from ..support.one_item import in_one_item
from ..support.paths import ROOT

FOLDER = ROOT / "cassettes" / "frameworks"
GRADES = {"verbatim", "located"}
WEAKER = {"guardrails": {"weak"}}
"""Guardrails prints its errors as JSON within a quoted text, where a place and its message are only words."""


def cases(way: str) -> list[Any]:
    """Each cassette of one way, with the name of its contract."""
    found = []
    for results in sorted(FOLDER.glob("*/results.json")):
        for case in json.loads(results.read_text())["cases"]:
            path = results.with_name(f"{case['case']}.{way}.yaml")
            if path.exists():
                found.append(pytest.param(path, case["contract"], id=f"{case['app']}-{case['case']}"))
    return found


def judged(path: Path, contract: str, **options: bool) -> tuple[Convergence, ...]:
    """The conversations of one cassette."""
    exchanges = read_cassette(path).exchanges
    return judge(exchanges, [getattr(task, contract)], options=JudgeOptions(**options)).conversations


@in_one_item
@pytest.mark.parametrize(("path", "contract"), cases("correct"))
def test_a_correct_app_passes(path: Path, contract: str) -> None:
    """Every finding is fed back by its place and its rule, and the conversation converges in two attempts."""
    found = judged(path, contract)
    assert [c.checks for c in found if not c.ok] == []
    assert {len(c.attempts) for c in found} == {2}
    grades = {fed_back.label for c in found for fed_back in c.attempts[0].fed_back}
    assert grades <= GRADES | WEAKER.get(path.parent.name, set())


def test_no_framework_needs_its_wording_known() -> None:
    """With framework wordings off every correct app passes."""
    failing = set()
    for path, contract in (case.values for case in cases("correct")):
        if not all(c.ok for c in judged(path, contract, known_wordings=False)):
            failing.add(path.parent.name)
    assert failing == set()


@in_one_item
@pytest.mark.parametrize(("path", "contract"), cases("broken"))
def test_the_same_app_without_its_feedback_fails(path: Path, contract: str) -> None:
    """The findings of the first attempt are named as missing; that the answers stay bad is another failure."""
    found = judged(path, contract)
    assert found
    for conversation in found:
        assert conversation.check("feedback").status.value == "fail"
        assert {fed_back.label for fed_back in conversation.attempts[0].fed_back} == {"missing"}


@in_one_item
@pytest.mark.parametrize("results", sorted(FOLDER.glob("*/results.json")), ids=lambda path: path.parent.name)
def test_every_named_framework_has_both(results: Path) -> None:
    """No case can vanish unseen: what the results call right has its two cassettes, unless the app keeps none."""
    kept = {path.name.removesuffix(".correct.yaml") for path in results.parent.glob("*.correct.yaml")}
    assert kept
    assert kept == {path.name.removesuffix(".broken.yaml") for path in results.parent.glob("*.broken.yaml")}
