"""Assemble the calls of one group from their parts, each call once, in the order in which they were sent."""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..decode import decode_bodies
from ..exchange import Exchange, ItemKind, Role
from .chat_bodies import CHAT_URL, url_of
from .gen_ai import from_events
from .logged import JUDGEABLE, Event, Fidelity, Logged, best, compact_json, worst


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a model, as far as its log shows it."""

    logged: Logged
    exchange: Exchange
    """The exchange, numbered from 1 in its group; "raw" if the content was not logged."""

    @property
    def judgeable(self) -> bool:
        """True if the log has everything that a judgement needs."""
        return self.logged.fidelity in JUDGEABLE


def calls_of(parts: Iterable[Logged]) -> list[Call]:
    """Return the calls that the parts of one group form. The result does not depend on the order of the parts."""
    by_call: dict[str, list[Logged]] = {}
    for number, part in enumerate(parts):
        by_call.setdefault(part.call or f"\0{number}", []).append(part)  # without an id, a part is a whole call
    whole = _without_shells([_completed(pieces) for pieces in by_call.values()])
    # The log's own order, then the time. At one time, the request that quotes an answer is larger and comes after it.
    # The ids settle the rest, so that it never counts which file was read first.
    whole.sort(key=lambda one: (one.order, one.at, _size(one), one.call, one.session))
    calls = _without_copies(whole)
    return [_marked_as_piece(call) for call in calls] if _are_last_pieces(calls) else calls


def _without_copies(whole: Iterable[Logged]) -> list[Call]:
    """Return the calls, numbered from 1. Of two logs of the same call, keep the one that is closest to the wire."""
    kept: dict[Hashable, Call] = {}
    for logged in whole:
        call = _call(len(kept) + 1, logged)
        same = _same(call) or call.exchange.number
        known = kept.get(same)
        if known is None:
            kept[same] = call
        elif best((known.logged.fidelity, logged.fidelity)) is not known.logged.fidelity:
            kept[same] = replace(call, exchange=replace(call.exchange, number=known.exchange.number))
    return [*kept.values()]


LAST_PIECE = "the log has only the last piece of each streamed answer: log the calls with another instrumentation"


def _are_last_pieces(calls: Iterable[Call]) -> bool:
    """Return True if an answer is the end of what a later request quotes as that answer: `]}` of `{"steps": []}`."""
    said = [call.exchange for call in calls if call.logged.fidelity is Fidelity.MESSAGES]
    requests = [tuple((item.role, item.text) for item in one.request) for one in said]
    answers = {turns: one.answer_text.strip() for turns, one in zip(requests, said, strict=True)}
    for turns in requests:
        quotes = [at for at, (role, text) in enumerate(turns) if role is Role.ASSISTANT and text]
        if quotes:
            quoted, answer = turns[quotes[-1]][1].strip(), answers.get(turns[: quotes[-1]])
            if answer and answer != quoted and quoted.endswith(answer):
                return True
    return False


def _marked_as_piece(call: Call) -> Call:
    if call.logged.fidelity is not Fidelity.MESSAGES:
        return call
    return replace(call, logged=replace(call.logged, fidelity=Fidelity.PARTIAL, why=LAST_PIECE))


def _without_shells(whole: list[Logged]) -> list[Logged]:
    """Return the calls, without those that another span inside or around them logs in full.

    An SDK that logs spans itself and is also instrumented logs each call twice: `chat` without content in `Messages`.
    """
    kept = [one for one in whole if one.fidelity in JUDGEABLE]
    ids, parents = {one.call for one in kept}, {one.parent for one in kept}
    return [one for one in whole if one.fidelity is not Fidelity.NONE or not (one.call in parents or one.parent in ids)]


def _size(logged: Logged) -> int:
    """Return the number of messages of a request."""
    body = logged.request if isinstance(logged.request, dict) else {}
    return next((len(body[key]) for key in ("messages", "contents", "input") if isinstance(body.get(key), list)), 0)


def _is_whole(logged: Logged) -> bool:
    return logged.request is not None and (logged.response is not None or logged.status >= 400)


def _completed(pieces: list[Logged]) -> Logged:
    """Return one call from its parts: a span and its events, a post and its patch, a request and its answer."""
    # The first part gives the place and the fields: a judgeable one, then the earliest, then the request.
    pieces.sort(key=lambda one: (one.fidelity not in JUDGEABLE, one.at, one.request is None and not one.settings))
    first = pieces[0]
    events = _events_of(pieces)
    if len(pieces) == 1 and not events and (first.fidelity not in JUDGEABLE or _is_whole(first)):
        return _unmasked(first)
    model = _first_of(piece.model for piece in pieces)
    request, response = _bodies(pieces, events, model)
    merged = replace(
        first,
        trace=_first_of(piece.trace for piece in pieces),
        session=_first_of(piece.session for piece in pieces),
        parent=_first_of(piece.parent for piece in pieces),
        at=min((piece.at for piece in pieces if piece.at), default=0),
        took=max(piece.took for piece in pieces),
        order=max(piece.order for piece in pieces),
        url=_first_of(piece.url for piece in pieces if piece.request is not None) or first.url,
        request=request,
        response=response,
        status=max(piece.status for piece in pieces),
        model=model,
        events=[],
    )
    fidelity, why = _fidelity(merged, pieces)
    return _unmasked(replace(merged, fidelity=fidelity, why=why))


def _first_of(words: Iterable[str]) -> str:
    """Return the first text that is not empty; "" without one."""
    return next(filter(None, words), "")


def _events_of(pieces: Iterable[Logged]) -> list[Event]:
    """Return the events of all parts by time, without copies of one event from two exports."""
    found = {(event.name, event.at, repr(event.body)): event for piece in pieces for event in piece.events}
    return sorted(found.values(), key=lambda event: event.at)


def _bodies(pieces: Sequence[Logged], events: Sequence[Event], model: str) -> tuple[Any, Any]:
    """Return request and response, as a part has them or else assembled from the events; None for a missing one."""
    settings = next((piece.settings for piece in pieces if piece.settings), {})
    from_messages = from_events(events, model, settings) if events else (None, None)
    request = next((piece.request for piece in pieces if piece.request is not None), from_messages[0])
    response = next((piece.response for piece in pieces if piece.response is not None), from_messages[1])
    return request, response


def _fidelity(merged: Logged, pieces: Sequence[Logged]) -> tuple[Fidelity, str]:
    """Return how close an assembled call is to the wire, and what is missing."""
    if _is_whole(merged):
        known = [piece.fidelity for piece in pieces if piece.fidelity in JUDGEABLE]
        return worst(known) if known else Fidelity.MESSAGES, ""
    nothing = merged.request is None and merged.response is None
    why = _first_of(piece.why for piece in pieces) or "only one of request and answer is in the logs"
    return Fidelity.NONE if nothing else Fidelity.PARTIAL, why


_MASK = re.compile(
    r"__REDACTED__|redacted-by-litellm|<redacted[^>]{0,40}>|\[(?:redacted|filtered|masked|sanitized)[^\]]{0,40}\]|\*{3,}",
    re.IGNORECASE,
)
"""`__REDACTED__`, `[REDACTED]`, `<REDACTED_EMAIL>`, `[sanitized conversation history]`: masks that replace words."""
_CUT = re.compile(r"(?:(?:\.{3}|…)\s?[\[(<]?|[\[(<])(?:litellm_)?truncated\b[^\])>]{0,80}[\])>]?\s*\Z", re.IGNORECASE)
"""`… (litellm_truncated 1234 chars)`, `<truncated due to size exceeding limit>`, at the end of a text.

Without dots or a bracket, the word is the model's own: `{"steps": ["Restore the truncated table"]}`.
"""
_CUT_LIMIT = 120
"""Characters at the end of a text to search for `_CUT`, which matches at most 103 and white space."""
_SIGNS = (b"redacted", b"[filtered", b"[masked", b"[sanitized", b"***", b"truncated")
"""In lower case: each match of the patterns above has one of them."""
MASKED = "the content is masked in the log: judge where it is not, or log it whole"
TRUNCATED = "the content is cut in the log: raise the limit of what exports it"


def _unmasked(logged: Logged) -> Logged:
    """Return the call, marked as partial if a mask or a cut replaces some of its words."""
    if logged.fidelity not in JUDGEABLE or not _may_be_masked(logged):
        return logged
    why = _first_of(_lacking(text) for text in _texts(logged.response, logged.request))
    return replace(logged, fidelity=Fidelity.PARTIAL, why=why) if why else logged


def _may_be_masked(logged: Logged) -> bool:
    """Return False if no text can be masked or cut. One look at the whole is ten times as fast."""
    content = compact_json([logged.response, logged.request]).lower()
    return any(sign in content for sign in _SIGNS)


def _lacking(text: str) -> str:
    """Return why a text is not what was said; "" if it may be."""
    # Only a text that is nothing but a mask: words around "***" are an answer in Markdown.
    if _MASK.fullmatch(text.strip()):
        return MASKED
    return TRUNCATED if _CUT.search(text[-_CUT_LIMIT:]) else ""


_UNSAID = ("tools", "response_format", "id", "model")
"""Members of a body that are no words of the conversation. A schema may give `[REDACTED]` as an example."""


def _texts(*bodies: object) -> Iterator[str]:
    """Yield the texts of the messages of some bodies, in any form."""
    waiting = [*bodies]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            waiting += [inner for key, inner in value.items() if key not in _UNSAID]
        elif isinstance(value, list):
            waiting += value


def _call(number: int, logged: Logged) -> Call:
    latency = logged.took / 1e9 if logged.took else None
    if logged.fidelity not in JUDGEABLE:
        return Call(logged, Exchange(number, "raw", model=logged.model or None, latency_s=latency, note=logged.why))
    url = url_of(logged.response) if logged.url in ("", CHAT_URL) else logged.url
    exchange = decode_bodies(number, logged.request, logged.response, url=url, status=logged.status, latency_s=latency)
    if not exchange.is_generation:
        unread = replace(logged, fidelity=Fidelity.PARTIAL, why=exchange.note or "no dialect reads it")
        return Call(unread, exchange)
    if exchange.model is None and logged.model:
        exchange = replace(exchange, model=logged.model)
    return Call(logged, exchange)


def _same(call: Call) -> Hashable | None:
    """Return a key that two logs of the same call share; None for a call that was not logged whole.

    A client and the framework around it may log the same words twice. Two calls with the same words, sampled one after
    the other, differ in the id of the answer or in the time.
    """
    exchange = call.exchange
    if not exchange.is_generation or not exchange.answer:
        return None
    said = tuple(
        (item.kind, item.text if item.arguments is None else json.dumps(item.arguments, sort_keys=True, default=str))
        for item in exchange.answer
    )
    last = tuple((item.kind, item.text) for item in exchange.request[-1:] if item.kind is not ItemKind.CALL)
    second = call.logged.at // 10**9  # from nanoseconds
    return exchange.response_id or second, len(exchange.request), said, last
