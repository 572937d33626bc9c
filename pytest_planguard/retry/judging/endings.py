"""Events after an accepted answer: words that reject it, a closing message, samples of the same request.

Only words about the answer itself reject it. The next task of a chat may mention errors, too ("now a ticket: the login
says invalid password"). So a rejection must begin the new words and name what it rejects.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...contract.finding import Severity
from ...wire.exchange import Role
from ..linking.link import How
from .attempt_answers import answers_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

    from ...contract.verdict import Verdict
    from ...wire.exchange import Exchange
    from ..linking.delta import Piece
    from ..linking.link import Link
    from .attempt_answers import Applied

# "That", "This answer", "Your previous response", "The JSON": names of the answer that an app rejects.
_ANSWER = (
    r"(?:that|this|it|(?:(?:your|the|this|that|my)\s+)?(?:(?:last|previous|prior|earlier|first)\s+)?"
    r"(?:answer|response|reply|output|json|yaml|document|result|attempt|arguments?|text))"
)
# "was not valid", "could not be parsed", "isn't JSON", "is no JSON", "has errors", "failed validation".
_FAULT = (
    r"(?:n['’]t|\b(?:not|cannot|invalid|incorrect|wrong|malformed|unusable|rejected"
    r"|errors?|problems?|fail(?:s|ed|ure)?|(?:is|was|s) no (?:\w{1,20} )?(?:json|yaml|answer|document|object)))"
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
    r"|\W*(?:please\s+)?(?:fix|correct|repair)\s+(?:it|this|that|the (?:json|errors?|format|answer|output)|your)\b",
    re.IGNORECASE | re.MULTILINE,
)
_OPENING = 400
"""Leading characters of a piece in which the rejection must begin: its first line."""
_WRAPPERS = frozenset({"fence", "prose", "thinking"})
"""Notes about parts removed from an answer before it was judged."""
_QUOTING = frozenset({How.ANSWER, How.QUOTED, How.PREFIX, How.PREVIOUS_ID})
"""Links of a request that shows the answer it rejects, or directly follows it."""


def rejects(link: Link) -> bool:
    """Return True if a request that shows an answer says in its new words that the answer is bad."""
    return link.how in _QUOTING and any(map(says_no, link.delta.pieces))


def says_no(piece: Piece) -> bool:
    """Return True if a piece of new words begins with a rejection of an answer."""
    if piece.role is Role.ASSISTANT:
        return False
    first = next((line for line in piece.text[: _OPENING * 4].splitlines() if line.strip()), "")
    return _REJECTS.match(first[:_OPENING]) is not None


def unwrapped(link: Link, before: Verdict, after: Verdict) -> bool:
    """Return True if a request that quotes a wrapped answer got the same document without its wrapper.

    Then it asked for that, in any language: "Bitte nur JSON", for example, after a fenced answer.
    """
    said = any(piece.role is not Role.ASSISTANT for piece in link.delta.pieces)
    if link.how not in _QUOTING or not said or not wrapped(before) or wrapped(after):
        return False
    return before.data is not None and before.data == after.data


def wrapped(verdict: Verdict) -> bool:
    """Return True if an accepted answer had words, a fence or thoughts around its document."""
    return any(f.severity is Severity.INFO and f.code in _WRAPPERS for f in verdict.findings)


CLOSING_MESSAGE = "the closing message after an accepted call: no answer was expected"
SAMPLE = "one of several samples of the same request, another of which meets the contract"


def may_close(exchange: Exchange, applied: Applied) -> bool:
    """Return True if a text answer may end a task whose answer is a tool call: the request forces no call."""
    answers = answers_of(exchange, applied)
    tool = answers[0].uncalled if answers else None
    return tool is not None and not exchange.calls and exchange.tool_choice not in ("required", tool)


def taken_by_app(links: Sequence[Link]) -> bool:
    """Return True if the app's own tool took a call: it gave a result, which is neither an error nor a rejection."""
    results = [piece for link in links[:1] for piece in link.delta.pieces if piece.role is Role.TOOL]
    return bool(results) and not any(piece.is_error or says_no(piece) for piece in results)


def samples(
    path: Sequence[int],
    links: Sequence[Link | None],
    request: Callable[[int], Hashable],
    verdict: Callable[[int], Verdict | None],
) -> dict[int, bool]:
    """Return the exchanges of a path that are samples of one request, each with True if its answer is good.

    A loop that resends a request until an answer is good stops at the first good one. So a request that is sent again
    after a good answer is sampled.
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
    """Yield each run of a path that sends one request again and again, with at least two exchanges."""
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
