"""True and false hits of each detector, counted."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

import pytest

from pytest_planguard import Contract
from pytest_planguard.pipeline.stream_detectors import StreamThresholds
from pytest_planguard.pipeline.stream_monitor import StreamMonitor

from ..support.nightly import drawn
from ..support.paths import ROOT
from .plans import PLAN, WORDS, Plan, as_json, codes, plan, prose
from .test_stream_monitor import LEAD_INS, MODELS

PAGE = ROOT / "docs" / "pipelines" / "index.md"
SEEDS = drawn(range(2_000, 2_050), 5)
BAD_ANSWERS = {
    "prose": 71,
    "schema_echo": 54,
    "loop": len(SEEDS),
    "refusal": len(SEEDS),
    "wrong_container": len(SEEDS),
    "a field's own code": len(SEEDS),
    "too_large": len(SEEDS),
}
"""Detector to how many answers it must fire at, by night 50 and more."""
REAL = ROOT / "fixtures" / "streams" / "smollm2_prose.jsonl"
"""Answers of SmolLM2-135M-Instruct to questions without a word of JSON, in the pieces in which they were streamed."""
JSON = Contract(Plan, format="json")


def real_prose() -> list[list[str]]:
    """The pieces of each recorded answer."""
    return [json.loads(line)["pieces"] for line in REAL.read_text("utf-8").splitlines()]


def good() -> Iterator[str]:
    """200 good answers, by day a quarter, with lead-ins, fences, thinking and long fields."""
    for seed in drawn(range(200), 4):
        rng = random.Random(seed)
        text = as_json(
            plan(rng.randint(1, 120), title=prose(seed, rng.randint(10, 3_000))), indent=rng.choice([None, 2])
        )
        fenced = rng.random() < 0.5
        yield rng.choice(LEAD_INS) + (f"```json\n{text}\n```\nDone. " + prose(seed, 3_000) if fenced else text)


def echoes() -> Iterator[tuple[str, Contract]]:
    """18 schemas in three forms."""
    for model in (Plan, *MODELS):
        schema = model.model_json_schema()
        envelope = {"type": "json_schema", "json_schema": {"name": "x", "schema": schema}}
        yield as_json(schema), Contract(model)
        yield f"```json\n{as_json(schema, indent=2)}\n```", Contract(model)
        yield "Here it is:\n" + as_json(envelope), Contract(model)


def broken(seed: int) -> str:
    """A plan of 40 steps of which one breaks the contract."""
    made = plan(40)
    step = random.Random(seed).choice(made["steps"][:30])
    step[random.Random(seed).choice(["risk", "days"])] = "unheard of"
    return as_json(made)


def bad(detector: str) -> Iterator[tuple[str, Contract]]:
    """Answers at which a detector must fire."""
    rng = random.Random(detector)
    for seed in SEEDS:
        piece = " ".join(rng.choices(WORDS, k=rng.randint(1, 6))) + " "
        yield {
            "loop": (as_json(plan(title=piece * 3_000)) if seed % 2 else prose(seed, 300) + piece * 300, PLAN),
            "refusal": (f"I'm sorry, but I can't help with that {piece}. " + prose(seed, seed % 7 * 300), PLAN),
            "wrong_container": (f"# Plan\n\n- {piece}\n- {piece}\n" + prose(seed), JSON),
            "a field's own code": (broken(seed), PLAN),
            "too_large": (as_json(plan(200)), PLAN),
        }[detector]


def hits(detector: str) -> tuple[int, int]:
    """How many bad answers a detector tells, and of how many."""
    if detector == "prose":
        told = [any(c[0] == "prose" and c[1] <= 2_000 for c in codes(prose(s), size=1)) for s in range(1_000, 1_060)]
        told += [_real_is_told(pieces) for pieces in real_prose()]
    elif detector == "schema_echo":
        told = [
            codes(text, contract)[:1] != [] and codes(text, contract)[0][0] == detector for text, contract in echoes()
        ]
    else:
        bound = 5_000 if detector == "too_large" else None
        wanted = {"a field's own code": {"enum", "type"}}.get(detector, {detector})
        told = [
            any(code in wanted for code, _, _ in codes(text, contract, partial=True, max_characters=bound))
            for text, contract in bad(detector)
        ]
    return sum(told), len(told)


def _real_is_told(pieces: list[str]) -> bool:
    """Whether an answer is cut short by token 500, or by the piece that reaches it."""
    monitor = StreamMonitor(PLAN)
    for piece in pieces:
        if monitor.feed(piece):
            break
    return bool(monitor.findings) and len(monitor.text) - len(piece) < 2_000


@pytest.mark.slow
def test_no_good_answer_is_flagged_by_any_detector() -> None:
    """With partial validation."""
    answers = list(good())
    assert [codes(text, size=7, partial=True) for text in answers] == [[]] * len(answers)


@pytest.mark.slow
@pytest.mark.parametrize(("detector", "bad_answers"), BAD_ANSWERS.items())
def test_every_bad_answer_is_flagged(detector: str, bad_answers: int) -> None:
    """By its own detector."""
    assert hits(detector) == (bad_answers, bad_answers)


def test_the_page_names_every_detector() -> None:
    """In the table of what fires when."""
    page = PAGE.read_text("utf-8")
    assert [name for name in BAD_ANSWERS if f"| {name} |" not in page.replace("`", "")] == []


def test_a_threshold_can_be_turned_off() -> None:
    """0 stands for never."""
    assert codes(prose(5), prose_tokens=0, refusal_tokens=0, container_tokens=0) == []
    assert StreamThresholds(prose_tokens=0).prose_tokens == 0
