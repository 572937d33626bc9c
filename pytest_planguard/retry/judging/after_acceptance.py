"""Detect what follows an accepted answer: a rejection, a closing message, or more samples of the same request.

The next task of a chat may mention errors, too ("now a ticket: the login says invalid password"). So the new words
reject the answer only if they begin with a rejection that names the answer.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...contract.constraints.text_edits import read_edits
from ...contract.finding import Severity
from ...wire.exchange import Role
from ...wire.untrusted_json import parsed_or_none
from ..linking.link import How
from .attempts import answers_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

    from ...contract.verdict import Verdict
    from ...wire.exchange import Exchange
    from ..linking.link import Link, Piece
    from .attempts import Applied

_NOUN = r"(?:answer|response|repl(?:y|ies)|output|json|yaml|document|result|attempt|argument|text|choice|candidate)s?"
# "That", "This answer", "Your previous response", "The JSON", "All of them": names of the answer that an app rejects.
_ANSWER = (
    r"(?:that|this|it|(?:all|both|each) of (?:them|these|those)"
    r"|(?:(?:your|the|this|that|my|these|those|both|all)\s+)?(?:(?:last|previous|prior|earlier|first)\s+)?"
    rf"{_NOUN})"
)
_BUT_NONE = "".join(rf"(?<!\b{word} )" for word in ("no", "any", "nothing", "none", "never", "without", "0"))
# "was not valid", "could not be parsed", "isn't JSON", "is no JSON", "has errors", "failed validation"; but not "has no
# errors" and not "nothing failed".
_FAULT = (
    r"(?:n['’]t|\b(?:not|cannot|invalid|incorrect|wrong|malformed|unusable|rejected"
    rf"|{_BUT_NONE}(?:errors?|problems?|fail(?:s|ed|ure)?)"
    r"|(?:is|was|s) no (?:\w{1,20} )?(?:json|yaml|answer|document|object)))"
)
_REJECTS = re.compile(
    rf"\W*(?:(?:sorry|no|error|oops)\b\W*)?{_ANSWER}\b[^.\n]{{0,40}}?{_FAULT}\b"
    # "Invalid JSON.", "Not valid, try again", "Validation failed", "JSONDecodeError: ...": the fault comes first.
    r"|\W*(?:invalid|not (?:a )?valid|malformed)\s+(?:answer|response|reply|output|json|yaml|arguments?|format)\b"
    r"|\W*(?:not (?:a )?valid|wrong|incorrect|rejected)\W{1,3}(?:please\s+)?(?:try|fix|correct|answer|return|again)\b"
    r"|\W*(?:validation|parsing|parse|schema|json|format)\s+(?:error|failed|failure)\b|\W*\w*(?:Decode|Validation)Error\b"
    # "Could not parse the answer", "Failed to decode your JSON".
    r"|\W*(?:could\s?(?:not|n['’]t)|can(?:not|['’]t)|unable to|failed to)\s+(?:parse|decode|read|validate|load)\b"
    r"|\W*(?:please\s+)?(?:try|do it) again\W*$"
    # "None of these answers is valid", "Neither of them is JSON".
    rf"|\W*(?:none|neither|no one) of (?:these|those|them|(?:your|the) (?:\w+ )?{_NOUN})\b[^.\n]{{0,40}}?"
    r"\b(?:valid|correct|usable|right|acceptable|accepted|json|yaml)\b"
    r"|\W*(?:please\s+)?(?:fix|correct|repair)\s+(?:it|this|that|the (?:json|errors?|format|answer|output)|your)\b",
    re.IGNORECASE | re.MULTILINE,
)
# "1 SEARCH/REPLACE block failed to match", "Some previously produced diffs were not …", "Hunk #1 FAILED at 7",
# "error: patch failed", "Could not apply the edit", "Failed to find these lines": only after an answer with edits.
_REJECTS_EDITS = re.compile(
    r"\W*(?:error\W{1,3})?(?:(?:\d{1,4}|all|both|each|some|one|of|out|the|these|those|this|that|your|following|last"
    r"|previous|previously|produced|unified|search|replace|search/replace)\s+){0,6}"
    rf"(?:edit|hunk|diff|patch|block|change|line|code)(?:e?s)?\b(?:(?!\b(?:now|next|then)\b)[^.;\n]){{0,60}}?{_FAULT}\b"
    r"|\W*(?:could\s?(?:not|n['’]t)|can(?:not|['’]t)|unable to|failed to)\s+(?:apply|find|match|locate)\b",
    re.IGNORECASE,
)
_NO_ERROR = r"\W*(?:0\b|(?:none|null|no|false|no errors?)?\b\W*$)"
# "Error: it exists", "Tool execution failed", "Error executing save: …"; but not "Error: none", "Saved without error",
# and not a report about errors, such as "Error rate: 3 %" or "Failed orders: 3".
_TOOL_FAILED = re.compile(
    r"\W*(?:(?:the|a|tool|function|call|command|execution|internal|unexpected)\s+){0,3}(?:error|exception|failed)\b"
    rf"(?:\s*$|(?!{_NO_ERROR})(?:\s*[^\w\s]|\s+(?:\w*\d|\w+ing\b|\w*(?:error|exception)\b|(?:to|in|at|on|of|for|from|by|with"
    r"|while|when|during|after|because|due|code|messages?|details?|type|status|validation|occurred|raised|thrown|was"
    r"|has)\b)))",
    re.IGNORECASE,
)
_NO_ERROR_SAID = re.compile(_NO_ERROR, re.IGNORECASE)
_OPENING = 400
"""Number of leading characters of the first line to search for a rejection."""
_WRAPPERS = frozenset({"fence", "prose", "thinking"})
"""Codes of the notes about text that was removed from an answer before it was judged."""
_QUOTING = frozenset({How.ANSWER, How.QUOTED, How.PREFIX, How.PREVIOUS_ID})
"""How a request is linked to an answer if it repeats the answer or directly follows it."""


def rejects(link: Link, answer: str) -> bool:
    """Return True if the request repeats or follows an answer and its new words reject that answer."""
    if link.how not in _QUOTING:
        return False
    has_edits = any(read_edits(answer))
    return any(says_no(piece, has_edits=has_edits) for piece in link.delta.pieces)


def says_no(piece: Piece, *, has_edits: bool = False) -> bool:
    """Return True if a piece of new words begins with a rejection of an answer, which may have edits of files."""
    if piece.role is Role.ASSISTANT:
        return False
    first = next((line for line in piece.text[: _OPENING * 4].splitlines() if line.strip()), "")[:_OPENING]
    if _REJECTS.match(first) or (has_edits and _REJECTS_EDITS.match(first)):
        return True
    return piece.role is Role.TOOL and (piece.is_error or _is_failure(piece.text, first))


def _is_failure(text: str, first: str) -> bool:
    """Return True if a tool's result says that the call failed: in its first line, or as a member of its JSON."""
    value = parsed_or_none(text) if text.lstrip().startswith("{") else None
    if not isinstance(value, dict):
        return _TOOL_FAILED.match(first) is not None
    status = str(value.get("status")).casefold() in ("error", "failed", "failure", "invalid", "rejected")
    error = value.get("error")
    failed = bool(error) and not (isinstance(error, str) and _NO_ERROR_SAID.match(error))
    return status or failed or any(value.get(name) is False for name in ("ok", "success", "valid"))


def unwrapped(link: Link, before: Verdict, after: Verdict) -> bool:
    """Return True if an answer had text around its document, and the next one is the same document without that text.

    Then the request asked for this, in any language: for example, "Bitte nur JSON" after a fenced answer.
    """
    said = any(piece.role is not Role.ASSISTANT for piece in link.delta.pieces)
    if link.how not in _QUOTING or not said or not wrapped(before) or wrapped(after):
        return False
    return before.data is not None and before.data == after.data


def wrapped(verdict: Verdict) -> bool:
    """Return True if an accepted answer had prose, a fence or a thinking block around its document."""
    return any(f.severity is Severity.INFO and f.code in _WRAPPERS for f in verdict.findings)


CLOSING_MESSAGE = "the closing message after an accepted call: no answer was expected"
SAMPLE = "one of several samples of the same request, another of which meets the contract"


def may_close(exchange: Exchange, applied: Applied) -> bool:
    """Return True if a text may follow the tool call that answers the task, since the request forces no call."""
    answers = answers_of(exchange, applied)
    tool = answers[0].uncalled if answers else None
    return tool is not None and not exchange.calls and exchange.tool_choice not in ("required", tool)


def taken_by_app(links: Sequence[Link]) -> bool:
    """Return True if the app's tool accepted a call: its result is neither an error nor a rejection."""
    results = [piece for link in links[:1] for piece in link.delta.pieces if piece.role is Role.TOOL]
    return bool(results) and not any(map(says_no, results))


def samples(
    path: Sequence[int],
    links: Sequence[Link | None],
    request: Callable[[int], Hashable],
    verdict: Callable[[int], Verdict | None],
) -> dict[int, bool]:
    """Return the exchanges of a path that sample one request, each with True if its answer is valid.

    A loop that resends a request until an answer is valid stops at the first valid one. So an app that resends a
    request after a valid answer is collecting samples.
    """
    found: dict[int, bool] = {}
    for run in _repeated(path, links, request):
        good = {number: (v := verdict(number)) is not None and v.ok for number in run}
        if any(good[number] for number in run[:-1]):
            found.update(good)
    return found


def _repeated(
    path: Sequence[int], links: Sequence[Link | None], request: Callable[[int], Hashable]
) -> Iterator[list[int]]:
    """Yield each run of two or more exchanges of a path that send the same request."""
    run: list[int] = []
    for number in path:
        link = links[number]
        if link is None or link.how is not How.SAME or not run or request(number) != request(run[-1]):
            if len(run) > 1:
                yield run
            run = []
        run.append(number)
    if len(run) > 1:
        yield run
