"""Suggestions learnt on seven of the 14 expert assessments, measured on the other seven.

    python -m tools.strength_figures.experts [--splits 10]

First every other assessment, then seeded random halves. Prints figures only: the assessments belong to others.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from pytest_planguard import CheckContext, Contract
from pytest_planguard.strength.evidence import GoodAnswer
from pytest_planguard.strength.measure import measure
from pytest_planguard.strength.operators import OPERATORS
from pytest_planguard.strength.suggestion import Suggestion

DATA = Path(__file__).parents[2] / ".." / "shared" / "data" / "planexe" / "expert_assessments"
FOLDS = 4
"""Parts that the operators are split into: each is held out once, and the suggestions come from the others. Random
splits of the assessments split the operators at random as well."""


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


def held_out(
    learnt: Sequence[GoodAnswer], judged: Sequence[GoodAnswer], names: Sequence[str]
) -> tuple[Counter[str], Counter[str], int]:
    """Return mutants made and killed by operator, each by suggestions from other operators, and good ones rejected."""
    made: Counter[str] = Counter()
    killed: Counter[str] = Counter()
    rejected: set[str] = set()
    for fold in range(FOLDS):
        kept_out = names[fold::FOLDS]
        suggested = measure(BARE, learnt, operators=[name for name in names if name not in kept_out]).suggestions
        result = measure(strengthened(suggested), judged, operators=kept_out)
        made.update(result.made)
        killed.update(result.killed)
        rejected.update(result.rejected)
    return made, killed, len(rejected)


def pinned(suggestion: Suggestion, answers: Sequence[GoodAnswer]) -> bool:
    """Return whether a suggestion allows one value alone, or one length of a text of the answers."""
    params = suggestion.constraint.params
    sole = suggestion.builder == "one_of" and len(params.get("allowed", ())) < 2
    low, high = params.get("min"), params.get("max")
    texts = [text for answer in answers for text in _texts(answer.data) if len(text) > 20]
    return sole or (low is not None and low == high) or any(text in suggestion.python for text in texts)


def _texts(data: Any) -> list[str]:
    if isinstance(data, str):
        return [data]
    below = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    return [text for one in below for text in _texts(one)]


def halves(answers: Sequence[GoodAnswer], seed: int) -> tuple[list[GoodAnswer], list[GoodAnswer]]:
    """Return a random split into two halves; the same for the same seed."""
    drawn = random.Random(seed).sample(list(answers), len(answers))
    return drawn[: len(drawn) // 2], drawn[len(drawn) // 2 :]


def in_detail(learnt: Sequence[GoodAnswer], judged: Sequence[GoodAnswer]) -> None:
    """Print what is suggested and what survives, then the figures of one split."""
    bare = measure(BARE, learnt)
    print(f"bare schema: kills {sum(bare.killed.values())} of {sum(bare.made.values())}")
    print(f"  suggested: {dict(Counter(one.builder for one in bare.suggestions))}")
    without = [group for group in bare.survivors if group.suggestion is None]
    print(f"  survivors without a suggestion: {dict(Counter(group.operator for group in without))}")
    print(f"  suggestions that pin a value or a text: {sum(pinned(one, learnt) for one in bare.suggestions)}")
    whole = measure(strengthened(bare.suggestions), judged)
    print(f"all suggestions: kill {sum(whole.killed.values())} of {sum(whole.made.values())} of the other half")
    made, killed = in_short("every other", learnt, judged)
    print("  " + ", ".join(f"{name} {killed[name]}/{made[name]}" for name in OPERATORS if made[name]))


def in_short(
    title: str, learnt: Sequence[GoodAnswer], judged: Sequence[GoodAnswer], names: Sequence[str] = tuple(OPERATORS)
) -> tuple[Counter[str], Counter[str]]:
    """Print and return what suggestions kill of mutants of operators that were not used to suggest."""
    made, killed, rejected = held_out(learnt, judged, names)
    share = sum(killed.values()) / sum(made.values())
    print(
        f"{title}: accepts {len(judged) - rejected} of {len(judged)}; operators not used to suggest: kill "
        f"{sum(killed.values())} of {sum(made.values())} ({share:.0%})",
        flush=True,
    )
    return made, killed


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--splits", type=int, default=10)
    number = parser.parse_args().splits
    answers = assessments()
    in_detail(answers[::2], answers[1::2])
    in_detail(answers[1::2], answers[::2])
    for seed in range(number):
        names = random.Random(seed).sample(list(OPERATORS), len(OPERATORS))
        in_short(f"split {seed}", *halves(answers, seed), names)


if __name__ == "__main__":
    main()
