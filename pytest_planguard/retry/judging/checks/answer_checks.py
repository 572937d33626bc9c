"""Checks on the answers: they improve, the loop stops in time, the last one is valid and no copy, the cost is known."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ....contract.failure_kinds import Phase, Reask
from ....contract.finding import Finding, Severity
from ....contract.phrasing import plural
from ....document.path import to_dotted
from ....document.path_pattern import texts_in
from ....document.words import copied_from, source
from ....wire.exchange import Finish, ItemKind, Role
from ....wire.untrusted_json import parsed_or_none
from ...linking.sameness import last_user, without_thinking
from ...outcomes import CheckStatus
from ...results import Attempt, Check
from ..after_acceptance import wrapped
from .view import Retry, View, idle, settled

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ....wire.exchange import Exchange

_ORDER = list(Phase)
# "Write it shorter", "be brief", "use fewer steps", "at most 5 items", "kürzer", "plus court", "más corto", "更短".
_LESS = re.compile(
    r"\b(?:short(?:er|en)?|brief(?:er|ly)?|concise(?:ly)?|compact(?:ly)?|fewer|at most \d+|less (?:text|detail|verbose)"
    r"|kürzer|knapper|plus court|más corto|più breve)\b|更短|精简",
    re.IGNORECASE,
)
_LEFT_TO_APPS = frozenset({"extra", "type", "format"})
"""Codes of findings that many apps ignore or fix by converting the value. `as_app_reads` turns them into warnings."""


def stops(view: View) -> Check:
    """Check that the loop stays within its budget, and does not ask again if that cannot help.

    Without a contract, the check warns instead of failing: the app has its own budget, which no test declares.
    """
    evidence = [line for retry in view.retries for line in _needless(retry)]
    over = len(view.attempts) - view.options.max_attempts
    if over > 0:
        allowed = view.options.max_attempts
        evidence.append(f"{len(view.attempts)} attempts were made, {allowed} {'is' if allowed == 1 else 'are'} allowed")
    good, bad = "the loop stopped in time", "the loop did not stop in time"
    if evidence and view.options.partial and view.status("stops") is CheckStatus.FAIL:
        return Check("stops", CheckStatus.WARN, bad, tuple(evidence))
    return settled(view, "stops", evidence, good=good, bad=bad)


def agreed(view: View) -> Check:
    """Check that the app and the contract agree: no retry after a valid answer, and no accepted invalid answer.

    Needs a contract: the schemas in the requests cannot show this, since the app may have further rules.
    """
    if view.options.partial:
        return idle("agreed", "the app may have rules beyond the schemas of its requests")
    around = ", apart from the text around its document"
    refused = [
        f"attempt {r.after.number} was requested although attempt {r.before.number} meets the contract"
        f"{around if wrapped(r.before.verdict) else ''}"
        for r in view.retries
        if r.before.verdict.ok
    ]
    if refused:
        bad = (
            'the app rejects an answer that the contract accepts: set extract="whole", '
            "or add the app's rule to the contract"
        )
        return settled(view, "agreed", refused, good="", bad=bad)
    last = view.last.number
    taken = [f"the app's tool accepted the call of attempt {last}, which breaks the contract"] if view.taken else []
    bad = (
        "the app accepts an answer that the contract rejects: validate it in the app, "
        "or remove the rule from the contract"
    )
    return settled(view, "agreed", taken, good="the app and the contract agree", bad=bad)


def valid(view: View) -> Check:
    """Check that the last answer meets the contract. After a declared handover, the check warns instead of failing."""
    errors = view.last.verdict.errors
    evidence = [f"attempt {view.last.number}, {to_dotted(f.path)}: {f.message}" for f in errors]
    bad = f"the last answer (attempt {view.last.number}) breaks the contract: {plural(len(errors), 'finding')}"
    if errors and view.handed_to is not None and view.status("valid") is CheckStatus.FAIL:
        return Check("valid", CheckStatus.WARN, f"{bad}; handed over as declared: {view.handed_to}", tuple(evidence))
    left = [f for f in view.last.verdict.findings if f.code in _LEFT_TO_APPS and f.severity is Severity.WARN]
    if view.options.partial and left and not errors:
        evidence = [f"attempt {view.last.number}, {to_dotted(f.path)}: {f.message}" for f in left]
        why = "the last answer breaks the schema of its request only in ways that many apps ignore or convert"
        return Check("valid", CheckStatus.WARN, f"{why}: {plural(len(left), 'finding')}", tuple(evidence))
    return settled(view, "valid", evidence, good=f"attempt {view.last.number} meets the contract", bad=bad)


def shrinking(view: View) -> Check:
    """Check that no retry falls back to an earlier phase, or gets new findings within the same phase."""
    if not view.retries:
        return idle("shrinking", "there was no retry")
    evidence = [line for retry in view.retries for line in _growth(retry.before, retry.after)]
    return settled(view, "shrinking", evidence, good="no retry made it worse", bad="a retry made it worse")


def accounted(view: View) -> Check:
    """Check that every attempt has a token count."""
    evidence = [
        f"attempt {a.number} has no token count"
        for a in view.attempts
        if a.exchange.usage.input_tokens is None or a.exchange.usage.output_tokens is None
    ]
    return settled(
        view, "accounted", evidence, good="every attempt states its tokens", bad="some attempts have no token count"
    )


def copied(view: View) -> Check:
    """Check that the valid last answer copies nothing from the worked examples or the feedback."""
    if not view.last.verdict.ok:
        return idle("copied", "the last answer is not valid")
    said, feedback = "", []
    for retry in view.retries:
        said = f"{said}\n{words_of(retry.before.exchange)}"
        feedback += [(delta.text, said) for delta in retry.reading.deltas]
    found = copies(view.last.verdict.data, view.first, feedback)
    good = "the answer copies neither an example nor the feedback"
    return settled(
        view, "copied", [str(c) for c in found], good=good, bad=f"the answer copies {plural(len(found), 'text')}"
    )


def phase_of(findings: tuple[Finding, ...]) -> int:
    """Return the 0-based index of the earliest phase of the findings; 3 without findings."""
    return min((_ORDER.index(f.kind.phase) for f in findings), default=len(_ORDER))


def _needless(retry: Retry) -> list[str]:
    before, after = retry.before, retry.after
    again = f"attempt {after.number} was requested"
    if before.verdict.ok:
        return []  # `agreed` reports that
    lines = [
        f"{again} although the answer before it had a finding of severity fail: {to_dotted(f.path)}: {f.message}"
        for f in before.verdict.errors
        if f.severity is Severity.FAIL
    ]
    kinds = {f.kind for f in before.verdict.errors}
    # If the provider says that the answer is complete, the limit did not cut it off, even if it looks so. Asking for a
    # shorter answer may help at the same limit.
    shorter = any(_LESS.search(piece.text) for _, piece in retry.reading.pieces)
    cut_off = before.exchange.finish is not Finish.STOP and not shorter
    if cut_off and any(k.reask is Reask.NOT_AT_THIS_LIMIT for k in kinds) and not _raised(before, after):
        lines.append(f"{again} at the same token limit after attempt {before.number} was cut off")
    lines += [
        f"{again} although attempt {before.number} ended in {k.value}, which another attempt does not fix"
        for k in sorted(kinds)
        if k.reask is Reask.NO
    ]
    return lines


def _raised(before: Attempt, after: Attempt) -> bool:
    old, new = (a.exchange.sampling.get("max_tokens") for a in (before, after))
    if isinstance(old, int) and isinstance(new, int):
        return new > old
    return isinstance(old, int) and new is None


def _growth(before: Attempt, after: Attempt) -> list[str]:
    was, now = phase_of(before.verdict.errors), phase_of(after.verdict.errors)
    if now < was < len(_ORDER):
        return [f"attempt {after.number} fell back from {_ORDER[was]} to {_ORDER[now]} findings"]
    if now != was:
        return []
    known = {f.identity for f in before.verdict.errors}
    return [
        f"attempt {after.number}, {to_dotted(f.path)}: {f.message} is new"
        for f in after.verdict.errors
        if f.identity not in known
    ]


# `not_copied` covers fields that an author chose. The check `copied` covers the whole answer, so an answer may repeat
# texts of its task: "the printer on floor 3" from the prompt is no copy.
SHORTEST_COPY = 3
"""Minimum number of words of a copied text. One or two words are labels and choices ("in progress"). `not_copied` needs
four words; three are enough here, since this check only warns by default."""


@dataclass(frozen=True, slots=True)
class Copy:
    """A text of the answer that is also in an example or in the feedback."""

    path: tuple[str | int, ...]
    text: str
    source: str
    """"an example" or "the feedback"."""

    def __str__(self) -> str:
        return f"{to_dotted(self.path)} copies {self.source}: {json.dumps(self.text[:80], ensure_ascii=False)}"


def words_of(exchange: Exchange) -> str:
    """Return all parts of an answer, each on a new line: its text and the arguments of its calls."""
    return "\n".join(item.text for item in exchange.answer)


def copies(data: object, first: Exchange, feedback: Sequence[tuple[str, str]]) -> list[Copy]:
    """Return every copied text of a parsed answer.

    Args:
        data: the parsed answer.
        first: the exchange of attempt 1. Its assistant turns are the worked examples, and its last user text is the
            task, which the answer may repeat.
        feedback: for each retry, its new words and all earlier answers. Texts of an earlier answer are not copies.
    """
    last = last_user(first)
    task = last.text if last else ""
    sources = [source("an example", text, task) for text in example_texts(first)]
    sources += [source("the feedback", text, task, said) for text, said in feedback]
    origins = (
        [(path, text, copied_from(text, sources, SHORTEST_COPY)) for path, text in texts_in(data)] if sources else []
    )
    return [Copy(path, text, origin) for path, text, origin in origins if origin is not None]


def example_texts(first: Exchange) -> tuple[str, ...]:
    """Return the worked examples of a conversation: the model's answers in its first request.

    Strings within JSON are also returned separately, since escapes would hide their words.
    """
    return tuple(text for item in first.request for text in _shown(item.kind, item.role, item.text, item.arguments))


def _shown(kind: ItemKind, role: Role, text: str, arguments: object) -> Iterator[str]:
    if kind is ItemKind.TEXT and role is Role.ASSISTANT:
        yield text
        yield from (inner for _, inner in texts_in(parsed_or_none(without_thinking(text))))
    elif kind is ItemKind.CALL:
        yield from (inner for _, inner in texts_in(arguments))
