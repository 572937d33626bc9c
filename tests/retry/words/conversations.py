"""What is judged of recorded conversations, as text: each step, attempt, fate of a finding and check."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from pytest_planguard.cli.inputs.auto_contracts import AutoContracts
from pytest_planguard.contract.contract import Contract
from pytest_planguard.document.path import to_dotted
from pytest_planguard.replay.files.reader import read_recording
from pytest_planguard.retry.judging.judge import Judgement, judge
from pytest_planguard.retry.judging.judging_options import JudgeOptions
from pytest_planguard.retry.results import Convergence

CASSETTES = Path(__file__).parents[3] / "cassettes"
TICKET = {
    "title": "Ticket",
    "type": "object",
    "properties": {"title": {"type": "string", "minLength": 3}, "priority": {"enum": ["low", "medium", "high"]}},
    "required": ["title", "priority"],
}
FOLDERS = ("shapes", "scripted-loops", "local_model/feedback", "frameworks/sdks", "frameworks/instructor")


def recordings() -> Iterator[str]:
    """Yield what is judged of each recording of some folders, by the schemas of its requests and by a ticket's."""
    for folder in FOLDERS:
        for file in sorted((CASSETTES / folder).glob("*.yaml")):
            if file.name != "expected.yaml":
                yield from _recording(f"{folder}/{file.name}", file, named=folder == "shapes")


def _recording(title: str, file: Path, *, named: bool) -> Iterator[str]:
    exchanges = read_recording(file).exchanges
    auto = AutoContracts().of(exchanges)
    yield from judged(f"{title} by the requests", judge(exchanges, auto, options=JudgeOptions(partial=True)))
    if named:
        options = JudgeOptions(max_attempts=2, known_wordings=False)
        yield from judged(f"{title} by a ticket", judge(exchanges, [Contract(TICKET)], options=options))


def judged(title: str, found: Judgement) -> Iterator[str]:
    """Yield what is judged of one sequence of exchanges."""
    kinds = [kind.value if kind else "-" for kind in found.kinds]
    yield f"# {title}: {' '.join(kinds)}"
    links = [f"{link.parent} {link.how.value}" if link else "-" for link in found.links]
    yield f"  links: {', '.join(links)}; steps: {[step.number for step in found.steps]}"
    if found.reasons:
        yield f"  unjudged: {json.dumps(dict(found.reasons), ensure_ascii=False)} {dict(found.unanswered)}"
    for one in found.conversations:
        yield from _conversation(one)


def _conversation(one: Convergence) -> Iterator[str]:
    yield f"  {one.conversation} {one.contract}: {one.outcome.value}, {'ok' if one.ok else 'not ok'}"
    for attempt in one.attempts:
        kind = attempt.verdict.kind
        said = f"    attempt {attempt.number}: {kind.value if kind else 'good'}"
        yield f"{said}, repeats {attempt.repeats}, sent again {attempt.transport_retries}, {len(attempt.steps)} steps"
        for fate in attempt.carried:
            place = to_dotted(fate.finding.path)
            yield f"      {place} [{fate.finding.code}] {fate.grade.value}; {fate.evidence}; {fate.reason}"
    for check in one.checks:
        yield f"    {check.name}: {check.status.value}: {check.message}"
        yield from (f"      {line}" for line in check.evidence)
