"""Assemble the calls of one group from their parts, each call once, in the order in which they were sent."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..decode import decode_bodies
from ..exchange import Exchange, ItemKind, Role
from .chat_bodies import CHAT_URL, url_of
from .gen_ai import from_events
from .logged import JUDGEABLE, Fidelity, Logged, best, compact_json, worst


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
        by_call.setdefault(part.call or f"\0{number}", []).append(part)
    whole = _without_shells([_completed(pieces) for pieces in by_call.values()])
    whole.sort(key=lambda one: (one.order, one.at, _size(one), one.call, one.session))
    kept: list[Call] = []
    seen: dict[Hashable, int] = {}
    for logged in whole:
        call = _call(len(kept) + 1, logged)
        same = _same(call)
        at = seen.setdefault(same, len(kept)) if same else len(kept)
        if at == len(kept):
            kept.append(call)
        elif best((kept[at].logged.fidelity, logged.fidelity)) is not kept[at].logged.fidelity:
            kept[at] = replace(call, exchange=replace(call.exchange, number=at + 1))
    if _is_in_pieces(kept):
        for at, call in enumerate(kept):
            if call.logged.fidelity is Fidelity.MESSAGES:
                kept[at] = replace(call, logged=replace(call.logged, fidelity=Fidelity.PARTIAL, why=LAST_PIECE))
    return kept


LAST_PIECE = "the log has only the last piece of each streamed answer: log the calls with another instrumentation"


def _is_in_pieces(calls: Iterable[Call]) -> bool:
    """Return True if an answer is the end of what a later request quotes as that answer: `]}` of `{"steps": []}`."""
    said = [call.exchange for call in calls if call.logged.fidelity is Fidelity.MESSAGES]
    asked = [tuple((item.role, item.text) for item in one.request) for one in said]
    ends = {key: one.answer_text for key, one in zip(asked, said, strict=True)}
    for key in asked:
        at = max((n for n, (role, text) in enumerate(key) if role is Role.ASSISTANT and text), default=0)
        piece, quoted = ends.get(key[:at], "").strip(), key[at][1].strip() if key else ""
        if piece and piece != quoted and quoted.endswith(piece):
            return True
    return False


def _without_shells(whole: list[Logged]) -> list[Logged]:
    """Return the calls, without those that another span inside or around them logs in full.

    An SDK that logs spans itself and is also instrumented logs each call twice: `chat` without content in `Messages`.
    """
    kept = [one for one in whole if one.fidelity in JUDGEABLE]
    ids, parents = {one.call for one in kept}, {one.parent for one in kept}
    return [one for one in whole if one.fidelity is not Fidelity.NONE or not (one.call in parents or one.parent in ids)]


def _size(logged: Logged) -> int:
    """Return the size of a request. A request that quotes an answer is larger and comes after it."""
    body = logged.request if isinstance(logged.request, dict) else {}
    return next((len(body[key]) for key in ("messages", "contents", "input") if isinstance(body.get(key), list)), 0)


def _is_whole(logged: Logged) -> bool:
    return logged.request is not None and (logged.response is not None or logged.status >= 400)


def _completed(pieces: list[Logged]) -> Logged:
    """Return one call from its parts: a span and its events, a post and its patch, a request and its answer."""
    pieces.sort(key=lambda one: (one.fidelity not in JUDGEABLE, one.at, one.request is None))
    first = pieces[0]
    found = {(event.name, event.at, repr(event.body)): event for piece in pieces for event in piece.events}
    events = sorted(found.values(), key=lambda event: event.at)  # without copies of one event from two exports
    if len(pieces) == 1 and not events and (first.fidelity not in JUDGEABLE or _is_whole(first)):
        return _unmasked(first)
    settings: dict[str, object] = next(
        (p.request["settings"] for p in pieces if isinstance(p.request, dict) and "settings" in p.request), {}
    )
    requests = [p.request for p in pieces if p.request is not None and "settings" not in p.request]
    answers = [p.response for p in pieces if p.response is not None]
    model = next((p.model for p in pieces if p.model), "")
    one_by_one = from_events(events, model, settings) if events else (None, None)
    request, response = (next(iter(found), one) for found, one in zip((requests, answers), one_by_one, strict=True))
    status = max((p.status for p in pieces), default=200)
    merged = replace(
        first,
        trace=next((p.trace for p in pieces if p.trace), ""),
        session=next((p.session for p in pieces if p.session), ""),
        parent=next((p.parent for p in pieces if p.parent), ""),
        at=min((p.at for p in pieces if p.at), default=0),
        took=max(p.took for p in pieces),
        order=max(p.order for p in pieces),
        url=next((p.url for p in pieces if p.url and p.request is not None), first.url),
        request=request,
        response=response,
        status=status,
        model=model,
        events=[],
    )
    if _is_whole(merged):
        known = [p.fidelity for p in pieces if p.fidelity in JUDGEABLE]
        merged.fidelity, merged.why = worst(known) if known else Fidelity.MESSAGES, ""
    else:
        merged.fidelity = Fidelity.NONE if request is None and response is None else Fidelity.PARTIAL
        merged.why = next((p.why for p in pieces if p.why), "only one of request and answer is in the logs")
    return _unmasked(merged)


_MASK = re.compile(
    r"__REDACTED__|redacted-by-litellm|<redacted[^>]{0,40}>|\[(?:redacted|filtered|masked|sanitized)[^\]]{0,40}\]|\*{3,}",
    re.IGNORECASE,
)
"""`__REDACTED__`, `[REDACTED]`, `<REDACTED_EMAIL>`, `[sanitized conversation history]`: masks that replace words."""
_CUT = re.compile(r"(?:\.{3}|…)?\s?[\[(<]?(?:litellm_)?truncated\b[^\])>]{0,80}[\])>]?\s*\Z", re.IGNORECASE)
"""`… (litellm_truncated 1234 chars)`, `<truncated due to size exceeding limit>`, at the end of a text."""
MASKED = "the content is masked in the log: judge where it is not, or log it whole"
TRUNCATED = "the content is cut in the log: raise the limit of what exports it"


def _unmasked(logged: Logged) -> Logged:
    """Return the call, marked as partial if a mask or a cut replaces some of its words."""
    if logged.fidelity not in JUDGEABLE:
        return logged
    why = ""
    for text in _texts([logged.response, logged.request]) if _may_be_masked(logged) else ():
        # Only a text that is nothing but a mask: words around "***" are an answer in Markdown.
        if len(text) < 400 and _MASK.fullmatch(text.strip()):
            why = MASKED
        elif "runcated" in text[-120:] and _CUT.search(text[-120:]):
            why = TRUNCATED
    return replace(logged, fidelity=Fidelity.PARTIAL, why=why) if why else logged


_SIGNS = (b"redacted", b"[filtered", b"[masked", b"[sanitized", b"***", b"runcated")
"""What the patterns above have in common, in lower case."""


def _may_be_masked(logged: Logged) -> bool:
    """Return False if no text can be masked or cut. One look at the whole is ten times as fast."""
    content = compact_json([logged.response, logged.request]).lower()
    return any(sign in content for sign in _SIGNS)


def _texts(bodies: list[Any]) -> Iterable[str]:
    """Yield the texts of the messages of a body, in any form."""
    texts, waiting = [], bodies
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            texts.append(value)
        elif isinstance(value, dict):
            waiting += [inner for key, inner in value.items() if key not in ("tools", "response_format", "id", "model")]
        elif isinstance(value, list):
            waiting += value
    return texts


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


def _same(call: Call) -> Hashable:
    """Return a key that two logs of the same call share; "" for a call that was not logged whole.

    A client and the framework around it may log the same words twice. Two calls with the same words, sampled one after
    the other, differ in the id of the answer or in the time.
    """
    exchange = call.exchange
    if not exchange.is_generation or not exchange.answer:
        return None
    said = tuple(
        (i.kind, i.text if i.arguments is None else json.dumps(i.arguments, sort_keys=True, default=str))
        for i in exchange.answer
    )
    last = tuple((i.kind, i.text) for i in exchange.request[-1:] if i.kind is not ItemKind.CALL)
    one = exchange.response_id or call.logged.at // 10**9  # without an id: the same words within one second
    return one, len(exchange.request), said, last


def opening(call: Call) -> str:
    """Return a digest of the beginning of a task: its instructions and first words.

    All its retries begin in this way.
    """
    words: Sequence[str] = [i.text for i in call.exchange.request if i.role.value in ("system", "user")][:2]
    return hashlib.sha256("\0".join(words).encode(errors="surrogatepass")).hexdigest()[:16]
