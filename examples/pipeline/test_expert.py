"""The expert's task: short summaries are asked for again, a redline is not. The answers are scripted."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .expert import Stopped, assess
from .tasks import CONTRACTS

LONG = "The plan is sound: the permit is there, the money is there, and the people who have to do it have been asked."


def answering(*answers: tuple[str, str]) -> tuple[Callable[[list[dict[str, Any]]], str], list[str]]:
    """An ask that gives these summaries and recommendations, and the last words of each request."""
    given, asked = iter(answers), list[str]()

    def ask(messages: list[dict[str, Any]]) -> str:
        asked.append(messages[-1]["content"])
        summary, recommendation = next(given)
        return json.dumps({"combined_summary": summary, "go_no_go_recommendation": recommendation})

    return ask, asked


@pytest.mark.planguard(CONTRACTS.contract("ExpertTask"), task="ExpertTask")
def test_what_is_wrong_is_fed_back(planguard: Any, tmp_path: Path) -> None:
    """Both the short summary and a recommendation in other words."""
    ask, asked = answering(("Fine.", "I'll go ahead and recommend proceeding"), (LONG, "Go"))
    details = assess(ask, planguard.gate(tmp_path), "a bridge")
    assert details.go_no_go_recommendation == "Go"
    assert "combined_summary" in asked[1]
    assert "go_no_go_recommendation" in asked[1]


@pytest.mark.planguard(CONTRACTS.contract("ExpertTask"), task="ExpertTask")
def test_a_redline_is_left_to_a_person(planguard: Any, tmp_path: Path) -> None:
    """It is not asked for again, and the pipeline pauses with the finding."""
    ask, asked = answering((LONG, "Do Not Execute"))
    with pytest.raises(Stopped, match="paused"):
        assess(ask, planguard.gate(tmp_path), "a bridge without a river")
    assert len(asked) == 1
    pause = json.loads((tmp_path / "pause.json").read_text("utf-8"))
    assert pause["condition"].startswith("go_no_go_recommendation:")
    assert [finding["severity"] for finding in pause["findings"]] == ["fail"]
