"""Twenty hand-written reviews of change requests in two runs: 2 new failures, 1 fixed, 4 still failing, 1 changed."""

import json
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel

from pytest_planguard import Contract, count, min_length, one_of

LONG = "The service should move its sessions to a replicated store, because latency doubled after the last release."
CHOICES = ("approve", "reject", "revise", "escalate")


class Review(BaseModel):
    summary: str
    recommendation: str
    risks: list[str]


def contract(extract: Literal["whole", "embedded"] = "whole") -> Contract:
    """Return the contract for a review."""
    rules = [min_length("summary", 100), one_of("recommendation", *CHOICES), count("risks", 3)]
    return Contract(Review, constraints=rules, extract=extract)


def review(number: int, **changed: Any) -> dict[str, Any]:
    """Return a good review with fields replaced; a field that is None is left out."""
    plain = {
        "summary": f"Request {number}: {LONG}",
        "recommendation": CHOICES[number % 4],
        "risks": [f"risk {n} of request {number}" for n in range(3 + number % 3)],
    }
    return {key: value for key, value in (plain | changed).items() if value is not None}


def base() -> dict[int, str]:
    """Return the answers of the base: five break the contract, one of them only if the whole answer must be JSON."""
    answers = {number: json.dumps(review(number)) for number in range(20)}
    answers[3] = json.dumps(review(3, summary="Too short."))
    answers[7] = json.dumps(review(7, recommendation="maybe"))
    answers[11] = json.dumps(review(11, risks=["one"]))
    answers[15] = f"Sure! Here it is:\n```json\n{answers[15]}\n```"
    answers[19] = json.dumps(review(19, risks=None))
    return answers


def candidate() -> dict[int, str]:
    """Return the answers of the candidate."""
    answers = base()
    answers[0] = json.dumps(review(0, risks=["risk 0 of request 0"]))
    answers[5] = json.dumps(review(5, recommendation="APPROVE"))
    answers[7] = json.dumps(review(7, recommendation="revise"))
    answers[2] = answers[2].replace("replicated", "sharded")
    return answers


def write_lines(path: Path, answers: dict[int, str]) -> Path:
    """Write the answers to a file, one JSON object per line."""
    lines = [
        json.dumps({"id": f"case-{number:04}", "prompt": f"Review request {number}", "output": text})
        for number, text in answers.items()
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
