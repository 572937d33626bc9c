"""Suggestions learnt on half of the expert assessments, measured on the other half.

`python -m tools.strength_figures.experts` prints figures only: the assessments belong to others.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel

from pytest_planguard import CheckContext, Contract
from pytest_planguard.strength.evidence import GoodAnswer
from pytest_planguard.strength.measure import measure
from pytest_planguard.strength.operators import OPERATORS
from pytest_planguard.strength.suggestion import Suggestion

DATA = Path(__file__).parents[2] / ".." / "shared" / "data" / "planexe" / "expert_assessments"
FOLDS = 4
"""Parts that the operators are split into: each is held out once, and the suggestions come from the others."""


class Item(BaseModel):
    feedback_index: int
    feedback_title: str
    feedback_description: str


class Expert(BaseModel):
    expert_title: str
    expert_full_name: str
    feedback_item_list: list[Item]


class Assessment(BaseModel):
    expert1: Expert
    expert2: Expert
    combined_summary: str
    go_no_go_recommendation: str


BARE = Contract(Assessment)


def assessments(folder: Path = DATA) -> list[GoodAnswer]:
    """Return the assessments without what the pipeline adds, each with its prompts."""
    answers = []
    for file in sorted(folder.glob("*.json")):
        data = json.loads(file.read_text(encoding="utf-8"))
        context = CheckContext(prompt_texts=(data["system_prompt"], data["user_prompt"]))
        answers.append(GoodAnswer(file.stem, {key: data[key] for key in Assessment.model_fields}, context))
    return answers


def strengthened(suggested: Sequence[Suggestion]) -> Contract[Assessment]:
    """Return the bare schema with what was suggested."""
    return Contract(Assessment, constraints=[suggestion.constraint for suggestion in suggested])


def held_out(learnt: Sequence[GoodAnswer], judged: Sequence[GoodAnswer]) -> tuple[Counter[str], Counter[str], int]:
    """Return mutants made and killed by operator, each by suggestions from other operators, and good ones rejected."""
    made: Counter[str] = Counter()
    killed: Counter[str] = Counter()
    rejected: set[str] = set()
    names = list(OPERATORS)
    for fold in range(FOLDS):
        kept_out = names[fold::FOLDS]
        suggested = measure(BARE, learnt, operators=[name for name in names if name not in kept_out]).suggestions
        result = measure(strengthened(suggested), judged, operators=kept_out)
        made.update(result.made)
        killed.update(result.killed)
        rejected.update(result.rejected)
    return made, killed, len(rejected)


def main() -> None:
    """Print the figures of both halves."""
    answers = assessments()
    for learnt, judged in ((answers[::2], answers[1::2]), (answers[1::2], answers[::2])):
        bare = measure(BARE, learnt)
        print(f"bare schema: kills {sum(bare.killed.values())} of {sum(bare.made.values())}")
        print(f"  suggested: {dict(Counter(one.builder for one in bare.suggestions))}")
        without = [group for group in bare.survivors if group.suggestion is None]
        print(f"  survivors without a suggestion: {dict(Counter(group.operator for group in without))}")
        whole = measure(strengthened(bare.suggestions), judged)
        print(f"all suggestions: kill {sum(whole.killed.values())} of {sum(whole.made.values())} of the other half")
        made, killed, rejected = held_out(learnt, judged)
        share = sum(killed.values()) / sum(made.values())
        print(f"operators not used to suggest: kill {sum(killed.values())} of {sum(made.values())} ({share:.0%})")
        print(f"  good answers rejected: {rejected}")
        print("  " + ", ".join(f"{name} {killed[name]}/{made[name]}" for name in OPERATORS if made[name]))


if __name__ == "__main__":
    main()
