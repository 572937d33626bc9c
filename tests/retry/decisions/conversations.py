"""What is judged of conversations, in short: each attempt with what became of its findings, checks and outcome."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pytest_planguard import Contract, JudgeOptions, judge, read_cassette
from pytest_planguard.retry.judging.request_contracts import AutoContracts

from ...support.decisions import Block, Decided, Messages, sorted_out
from ...support.places import dotted
from .hearing import graded

CASSETTES = Path(__file__).parents[3] / "cassettes"
TICKET = {
    "title": "Ticket",
    "type": "object",
    "properties": {"title": {"type": "string", "minLength": 3}, "priority": {"enum": ["low", "medium", "high"]}},
    "required": ["title", "priority"],
}
_OF_FINDING = re.compile(r"attempt \d+, ")
"""How evidence about a finding begins: the rest is the finding's own message and reason."""
FOLDERS = ("shapes", "scripted-loops", "local_model/feedback", "frameworks/sdks", "frameworks/instructor")


def cassettes(page: Messages) -> Iterator[Block]:
    """What is judged of each cassette of some folders, by the schemas of its requests and by a ticket's."""
    for folder in FOLDERS:
        decided = []
        for file in sorted((CASSETTES / folder).glob("*.yaml")):
            if file.name != "expected.yaml":
                decided += _recording(page, f"{folder}/{file.name}", file, named=folder == "shapes")
        yield Block(folder, decided)


def _recording(page: Messages, title: str, file: Path, *, named: bool) -> Iterator[Decided]:
    exchanges = read_cassette(file).exchanges
    found = judge(exchanges, AutoContracts().of(exchanges), options=JudgeOptions(partial=True))
    yield Decided(f"{title} by the requests", judged(page, found), file.stem)
    if named:
        options = JudgeOptions(max_attempts=2, known_wordings=False)
        found = judge(exchanges, [Contract(TICKET)], options=options)
        yield Decided(f"{title} by a ticket", judged(page, found), f"{file.stem} by a ticket")


def judged(page: Messages, found: Any) -> str:
    """Return what is judged of one sequence of exchanges."""
    kinds = [kind.value if kind else "-" for kind in found.kinds]
    links = [_link(link) if link else "" for link in found.links]
    steps = "".join(f", step {step.number}" for step in found.steps)
    for reason in found.reasons.values():
        page.add("not judged", reason)
    unjudged = "".join(f", {number} unjudged" for number in found.reasons)
    unanswered = "".join(f", {number} {kind.value}" for number, kind in found.unanswered.items())
    way = " ".join(f"{kind}{f' ({link})' if link else ''}" for kind, link in zip(kinds, links, strict=True))
    talks = [conversation(page, one) for one in found.conversations]
    return " / ".join([f"{way}{steps}{unjudged}{unanswered}", *talks])


def _link(link: Any) -> str:
    """Return which answer a request reacts to, how that is known, and which of its messages are new."""
    also = f" or {link.ambiguous_with}" if link.ambiguous_with else ""
    new = [f"{piece.item}{'!' * piece.is_error}" for piece in link.delta.pieces]
    return f"{link.parent}{also} {link.how.value} at {link.position}, new {' '.join(new) or 'none'}"


def conversation(page: Messages, one: Any) -> str:
    """Return the outcome of one conversation, its attempts and its checks."""
    attempts = "; ".join(_attempt(page, attempt) for attempt in one.attempts)
    for check in one.checks:
        page.add(f"check {check.name}", check.message)
        for line in check.evidence:
            if not _OF_FINDING.match(line):
                page.add("evidence", line)
    checks = sorted_out((check.status.value.replace("not applicable", "n/a"), _counted(check)) for check in one.checks)
    ok = "" if one.ok else ", not ok"
    return f"{one.conversation} {one.contract} {one.outcome.value}{ok}: {attempts} [{checks}]"


def _counted(check: Any) -> str:
    """Return the name of a check, with the number of lines of evidence."""
    return f"{check.name} {len(check.evidence)}" if check.evidence else str(check.name)


def _attempt(page: Messages, attempt: Any) -> str:
    """Return the findings of an attempt, and what became of them."""
    number = (
        f"{attempt.number}@{attempt.exchange.number}" if attempt.number != attempt.exchange.number else attempt.number
    )
    more = [f"repeats {attempt.repeats}"] * (attempt.repeats is not None)
    more += [f"sent again {attempt.transport_retries}"] * bool(attempt.transport_retries)
    more += [f"{len(attempt.steps)} steps"] * bool(attempt.steps)
    found = ", ".join(f"{dotted(one.path)} {one.code}".strip() for one in attempt.verdict.findings) or "good"
    gradings = f" -> {graded(page, attempt.fed_back)}" if attempt.fed_back else ""
    return f"{number} {found}{gradings}{''.join(f', {one}' for one in more)}"
