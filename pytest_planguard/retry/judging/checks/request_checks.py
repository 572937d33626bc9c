"""Checks on the requests: each feeds back the findings, differs from earlier ones, and has a result for every call."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice

from ....contract.phrasing import plural
from ....document.path import to_dotted
from ....wire.exchange import Exchange, ItemKind, Role
from ...linking.link import How
from ...linking.sameness import answer_key, call_key, canonical, item_key, last_user, normal_text
from ...outcomes import LABELS, CheckStatus, Firmness, Grade
from ...results import Check, FedBack
from ..required_findings import enough, holds, may_be_enough
from .view import Retry, View, idle, settled, texts, unknown

FEEDBACK_CAP = 4_000
"""The maximum number of characters of the feedback in one retry. Pydantic's own text for 20 errors is this long."""
REACTS = "the app reacts to it, in words that were not understood"
"""The reason why a finding is unclear although an experiment shows that the app reacts to it."""
_UNCLEAN: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "a traceback",
        re.compile(r"Traceback \(most recent call last\)|^[ \t]*File \"[^\"\n]{1,200}\", line \d", re.MULTILINE),
    ),
    (
        "an API error",
        re.compile(r"\b(?:RateLimit|APIConnection|APIStatus|APITimeout|InternalServer)Error\b|\bHTTP/?\s?[45]\d\d\b"),
    ),
    ("a URL", re.compile(r"https?://[^\s\"'<>)]{4,200}")),
)


def feedback(view: View) -> Check:
    """Check that each retry's request feeds back the findings of the previous attempt that the app could detect."""
    name = "feedback"
    if not view.retries:
        return idle(name, "there was no retry")
    if view.ambiguous:
        return unknown(name, "the traffic does not show which answer each retry reacts to")
    coverage, weakest = view.options.coverage, view.options.weakest
    known = [(r, _gradings(view, r)) for r in view.retries]
    lacking = [(r, gradings) for r, gradings in known if gradings and not enough(gradings, coverage, weakest)]
    short = [r for r, _ in lacking]
    dark = [r for r, gradings in known if not gradings]
    evidence = tuple(line for r in short for line in _evidence(view, r))
    if any(not may_be_enough(gradings, coverage, weakest) for _, gradings in lacking):
        return settled(view, name, evidence, good="", bad=_lacks(view, short))
    if short:
        status = CheckStatus.WARN if view.status(name) is CheckStatus.WARN else view.options.unclear
        return Check(name, status, _is_unclear(view, short), evidence)
    if len(dark) == len(view.retries):
        number = dark[0].before.number
        if dark[0].required:
            return unknown(name, f"the traffic does not show what happened to the findings of attempt {number}")
        return unknown(name, f"the findings of attempt {number} are unknown, so feedback on them cannot be checked")
    grades = Counter(c.label for _, gradings in known for c in gradings)
    listed = ", ".join(f"{grades[label]} {label}" for label in LABELS if grades[label])
    return settled(view, name, (), good=f"each retry feeds back what was wrong before ({listed})", bad="")


def clean(view: View) -> Check:
    """Check that the feedback contains no traceback, API error, secret or URL."""
    known = "\n".join(texts(view.first)) + "\n".join(a.exchange.answer_text for a in view.attempts)
    evidence = [
        f"request {delta.request}, message {piece.item} has {leak}"
        for retry in view.retries
        for delta in retry.reading.deltas
        for piece in delta.pieces
        for leak in _leaks(piece.text, known)
    ]
    if not any(not r.reading.empty for r in view.retries):
        return idle("clean", "no request has feedback")
    return settled(
        view,
        "clean",
        evidence,
        good="the feedback is about the answer only",
        bad="the feedback leaks details of the app",
    )


def _leaks(text: str, known: str) -> Iterator[str]:
    """Yield each leak in `text` that `known` does not contain: "a URL: https://errors.example/e…".

    For a secret, yield only its kind.
    """
    for what, pattern in _UNCLEAN:
        if (found := pattern.search(text)) and found[0] not in known:
            yield f"{what}: {found[0].strip()[:24]}…"
    yield from _secrets(text, known)


def _secrets(text: str, known: str) -> Iterator[str]:
    """Yield "a secret: GitHub token" for the first secret key that `known` does not contain.

    A field's name alone does not make its value a secret, since feedback names fields: "api_key: Field required".
    """
    from ....document.secrets import keys_in, keys_in_base64  # only feedback pays for this import

    keys = (kind for start, end, kind in chain(keys_in(text), keys_in_base64(text)) if text[start:end] not in known)
    yield from (f"a secret: {kind}" for kind in islice(keys, 1))


def bounded(view: View) -> Check:
    """Check that a retry's request grows only by the earlier answers and `FEEDBACK_CAP` characters for each of them."""
    retries = [r for r in view.retries if not r.after.steps]
    if not retries:
        return idle("bounded", "every retry has tool steps")
    evidence, room = [], _size(view, 0)
    for retry in view.retries:
        answer = retry.before.exchange
        room += len(answer.answer_text) + sum(len(call.text) for call in answer.calls) + FEEDBACK_CAP
        size = _size(view, retry.after.number - 1)
        if retry.after.steps:
            room = max(room, size)
        elif size > room:
            evidence.append(
                f"request {retry.after.exchange.number} has {size:,} characters; the limit is {room:,}: request 1, the "
                f"answers so far and {FEEDBACK_CAP:,} characters of feedback for each"
            )
    return settled(view, "bounded", evidence, good="no request is too long", bad="a retry's request is too long")


def task_kept(view: View) -> Check:
    """Check that every retry still contains the task."""
    task = last_user(view.first)
    retries = [r for r in view.retries if not any(link.how is How.PREVIOUS_ID for link in r.links)]
    if task is None or not retries:
        return idle("task_kept", "no retry sends the whole conversation")
    lines = {normal_text(line) for line in task.text.splitlines()} - {""}
    evidence = []
    for retry in retries:
        said = normal_text("\n".join(texts(retry.after.exchange)))
        missing = [line for line in sorted(lines) if line not in said]
        if missing:
            evidence.append(f"request {retry.after.exchange.number} no longer says: {missing[0][:100]}")
    return settled(view, "task_kept", evidence, good="every retry repeats the task", bad="a retry dropped the task")


def _gradings(view: View, retry: Retry) -> list[FedBack]:
    """Return the gradings of the findings that the retry had to feed back, except those that are not judged.

    If unclear findings fail the check, findings that only the app's reaction shows become unclear, too.
    """
    wanted = {id(f) for f in retry.required}
    known = [c for c in retry.before.fed_back if id(c.finding) in wanted and c.grade is not Grade.NOT_JUDGED]
    if view.options.unclear is not CheckStatus.FAIL:
        return known
    return [replace(c, grade=Grade.UNCLEAR, how=None, reason=REACTS) if c.how is Firmness.REACTS else c for c in known]


def _lacks(view: View, short: list[Retry]) -> str:
    parts = []
    for retry in short:
        gradings = _gradings(view, retry)
        missing = [c for c in gradings if not holds(c, view.options.weakest)]
        parts.append(
            f"attempt {retry.after.number}'s request lacks {len(missing)} of {plural(len(gradings), 'finding')} "
            f"of attempt {retry.before.number}"
        )
    return "; ".join(parts)


def _is_unclear(view: View, short: list[Retry]) -> str:
    """Return 'the wording alone does not show whether attempt 2's request feeds back 1 of 2 findings of attempt 1'."""
    parts = []
    for retry in short:
        gradings = _gradings(view, retry)
        unclear = sum(c.grade is Grade.UNCLEAR for c in gradings)
        findings = f"{unclear} of {plural(len(gradings), 'finding')} of attempt {retry.before.number}"
        parts.append(f"attempt {retry.after.number}'s request feeds back {findings}")
    return f"the wording alone does not show whether {' and '.join(parts)}"


def _evidence(view: View, retry: Retry) -> list[str]:
    lines = []
    for graded in _gradings(view, retry):
        if not holds(graded, view.options.weakest):
            where = to_dotted(graded.finding.path)
            reason = graded.reason or f"found only as {graded.label}: {graded.evidence}"
            lines.append(
                f"attempt {retry.before.number}, {where}: {graded.finding.message}; {reason}. {_searched(retry)}"
            )
    request = retry.after.exchange.number
    return lines + [f"request {request} repeats feedback on an older attempt: {s}" for s in retry.stale]


def _searched(retry: Retry) -> str:
    pieces = [f"message {p.item} of request {d.request}" for d in retry.reading.deltas for p in d.pieces]
    return f"Searched: {', '.join(pieces[:4])}" if pieces else f"Request {retry.after.exchange.number} adds no message"


def _size(view: View, at: int) -> int:
    return sum(len(text) for text in texts(view.attempts[at].exchange))


_PLACED = (How.ANSWER, How.PREFIX)
"""The kind of link to a retry that sends the bad answer as the model's own turn."""


def fresh(view: View) -> Check:
    """Check that no retry resends the body of an earlier attempt, unless that body also feeds back the new findings.

    A loop that sends only the latest answer and its feedback repeats a request if the model repeats an answer. If the
    server holds the conversation, the same body is another request each time.
    """
    if not view.retries or view.first.thread:
        return idle("fresh", "the server holds the conversation" if view.retries else "there was no retry")
    seen = {_body(view.first): view.attempts[0].number}
    evidence = []
    for retry in view.retries:
        body = _body(retry.after.exchange)
        if body in seen and not _feeds_back(view, retry):
            evidence.append(f"attempt {retry.after.number} sends the same body as attempt {seen[body]}")
        seen[body] = retry.after.number
    return settled(view, "fresh", evidence, good="every retry differs", bad="a retry sends the same request again")


def addressed(view: View) -> Check:
    """Check that a retry contains the bad answer once, as the model's own turn or call, and that calls have results."""
    retries = [r for r in view.retries if r.how in _PLACED]
    if not retries:
        return idle("addressed", "no retry repeats the model's answer as an assistant turn")
    evidence = [line for r in retries for line in _misplaced(r)]
    evidence += [line for r in retries for line in _unpaired(r.after.exchange)]
    good = "every bad answer appears once, as an assistant turn"
    bad = "a bad answer is missing or repeated, or a call has no result"
    return settled(view, "addressed", evidence, good=good, bad=bad)


def _body(exchange: Exchange) -> object:
    if exchange.raw_request:
        return exchange.raw_request
    items = tuple(item_key(i) for i in exchange.request)
    return (items, exchange.model, exchange.previous_id, exchange.thread, canonical(dict(exchange.sampling)))


def _feeds_back(view: View, retry: Retry) -> bool:
    wanted = {id(f) for f in retry.required}
    gradings = [c for c in retry.before.fed_back if id(c.finding) in wanted]
    return bool(gradings) and all(holds(c, view.options.weakest) for c in gradings)


def _misplaced(retry: Retry) -> list[str]:
    name = f"attempt {retry.before.number}'s answer"
    request = retry.after.exchange
    if answer_key(retry.before.exchange) is None:
        return []  # an empty answer has no turn, since APIs reject empty ones
    if retry.how is How.PREFIX and not any(p.role is Role.ASSISTANT for p in retry.links[0].delta.pieces):
        return [] if _quoted(retry) else [f"{name} is left out of request {request.number}"]
    answer = normal_text(retry.before.exchange.answer_text)
    times = sum(
        normal_text(i.text) == answer for i in request.request if i.kind is ItemKind.TEXT and i.role is Role.ASSISTANT
    )
    earlier = sum(normal_text(i.text) == answer for i in retry.before.exchange.request if i.kind is ItemKind.TEXT)
    copies = times - earlier if answer else 0
    return [f"request {request.number} contains {name} {copies} times"] if copies > 1 else []


def _quoted(retry: Retry) -> bool:
    """Return True if a new text of the request has the answer in it: "We failed to parse '{...}' due to: ..."."""
    answer = normal_text(retry.before.exchange.answer_text)
    known = {i.text for i in retry.before.exchange.request}
    added = (i.text for i in retry.after.exchange.request if i.kind is ItemKind.TEXT and i.text not in known)
    return bool(answer) and any(answer in normal_text(text) for text in added)


def _unpaired(exchange: Exchange) -> list[str]:
    calls = Counter(i.call_id for i in exchange.request if i.kind is ItemKind.CALL and i.call_id)
    results = Counter(i.call_id for i in exchange.request if i.kind is ItemKind.RESULT and i.call_id)
    if exchange.previous_id or exchange.thread:
        return []
    names = {i.call_id: call_key(i)[0] for i in exchange.request if i.kind is ItemKind.CALL}
    lines = [
        f"request {exchange.number}: the call of {names[c]} ({c}) has no result" for c in calls if c not in results
    ]
    return lines + [
        f"request {exchange.number}: a result answers none of the calls ({r})" for r in results if r not in calls
    ]
