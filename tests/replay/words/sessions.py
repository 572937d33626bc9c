"""What sessions answer, refuse and record, request by request, without a client: a table of short stories."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pytest_planguard.errors import CassetteError
from pytest_planguard.replay.files.interaction import Interaction
from pytest_planguard.replay.matching.carried_evidence import evidence_from
from pytest_planguard.replay.matching.recording_index import CONVERSATION_HEADER
from pytest_planguard.replay.matching.unmatched import Miss
from pytest_planguard.replay.network.guard import NetworkGuard
from pytest_planguard.replay.session.allowance import Allowance
from pytest_planguard.replay.session.playback import CassetteSettings, Mode
from pytest_planguard.replay.session.session import CassetteSession, begin, finishing, kept_interactions

from ...support.exchanges import assistant, chat, user, write
from ..matching.ticket_chat import BAD, CONTRACT, GOOD, TASK, TOLD, retry

_OTHER = "Summarise our quarterly figures in three short slides please"
_REWORDED = TASK.replace("broken", "jammed")
_MORE = [*retry(TOLD), assistant(GOOD), user("And now in French, please.")]
LOOP = (chat([user(TASK)], BAD), chat(retry(TOLD), GOOD))


def _named(interaction: Interaction, name: str) -> Interaction:
    headers = (*interaction.request_headers, (CONVERSATION_HEADER, (name,)))
    return replace(interaction, request_headers=headers)


def _at(interaction: Interaction, url: str, method: str = "POST") -> Interaction:
    return replace(interaction, url=url, method=method)


def _asked(*texts: str) -> tuple[Interaction, ...]:
    return tuple(chat([user(text)], "") for text in texts)


_URL = LOOP[0].url
_SHELL = _at(LOOP[0], "command://my%20agent")
_CALL = _at(LOOP[0], "call://python/app.ask/two%20words/x")
RECORDINGS: dict[str, tuple[Interaction, ...]] = {
    "a loop": LOOP,
    "nothing": (),
    "the same twice": (chat([user(TASK)], "one"), chat([user(TASK)], "two"), chat([user(TASK)], "two")),
    "two alike": (chat([user("Fix machine one now")], "one"), chat([user("Fix machine two now")], "two")),
    "names": tuple(
        _named(one, name)
        for name in ("a", "b")
        for one in (chat([user(TASK)], f"{name}1"), chat(retry(TOLD, bad=f"{name}1"), f"{name}2"))
    ),
    "a secret": (
        chat([user("Use key [redacted] and [redacted] now")], "done"),
        _at(chat([user("x")], "y"), f"{_URL}?a=[redacted]&b=1"),
    ),
    "no chat": (_at(LOOP[0], f"{_URL}?b=2&a=1"), _SHELL, _CALL),
    "side by side": (
        chat([user(TASK)], "one"),
        chat([user(TASK)], "two"),
        chat([user(TASK), assistant("one"), user("title: expected a string; got 1")], "three"),
        chat([user(TASK), assistant("two"), user("title: expected a string; got 1")], "four"),
    ),
}
STORIES: dict[str, tuple[tuple[Interaction, ...], ...]] = {
    "a loop": (
        LOOP,
        (*LOOP, *_asked(TASK), chat(_MORE, "")),
        (chat([user(_REWORDED)], ""), chat(retry(TOLD, _REWORDED), "")),
        _asked(_OTHER, _OTHER, TASK),
        (LOOP[0], *_asked(TASK)),
        (LOOP[0], chat(retry("Please try again."), "")),
        (LOOP[0], chat(retry("Fix this please.\n- `title`: Input should be a valid string"), "")),
        (LOOP[0], chat(retry("steps: expected at least 2 items; got 1"), "")),
        (LOOP[0], chat(retry("The name of it must be words, not a number."), "")),
        (LOOP[1],),
        (chat([user(TASK)], "", stream=True), chat([user(TASK)], "", temperature=0.5)),
        (_at(LOOP[0], "https://h.test/v1/other"), _at(LOOP[0], "https://h.test/v1/chat/completions")),
        (_at(LOOP[0], "https://files.test/model.json", "GET"),),
    ),
    "nothing": (LOOP, (_SHELL,)),
    "the same twice": (_asked(TASK, TASK, TASK, TASK),),
    "two alike": (_asked("Fix machine three now", "Fix machine two now"), _asked("Fix machine one now please")),
    "names": (LOOP, (LOOP[0], chat(retry(TOLD, bad="a1"), ""), chat(retry("x", bad="a1"), ""))),
    "a secret": (
        (*_asked("Use key abc and def now"), _at(chat([user("x")], ""), f"{_URL}?b=1&a=k")),
        _asked('Use key a"c and def now', "Use key a and b", "Use key a and"),
    ),
    "no chat": (
        (_at(LOOP[0], f"{_URL}?a=1&b=2"), _SHELL, _CALL, _CALL),
        (_at(LOOP[0], _URL), _at(LOOP[1], _SHELL.url), _at(LOOP[1], "call://python/app.ask")),
    ),
    "side by side": ((*_asked(TASK, TASK), *(chat(retry(TOLD, bad=one), "") for one in ("two", "one"))),),
}
_MATCHES: tuple[Any, ...] = ("gated", "strict", "ordered", "lenient")


def sessions() -> Iterator[str]:
    """What each request of a story gets in each mode, and what is said of the whole."""
    with tempfile.TemporaryDirectory() as folder:
        for recording, stories in STORIES.items():
            path = write(Path(folder) / "a.yaml", *RECORDINGS[recording])
            for number, story in enumerate(stories, 1):
                for match in _MATCHES:
                    yield f"# {recording}, story {number}, {match}"
                    yield from _replayed(path, story, CassetteSettings(match=match))
        path = write(Path(folder) / "a.yaml", *LOOP)
        for number, story in enumerate(STORIES["a loop"], 1):
            for provisional in (False, True):
                yield f"# a loop, story {number}, by its contract{', provisional' * provisional}"
                evidence = evidence_from([CONTRACT])
                how = CassetteSettings(evidence=evidence, provisional=lambda provisional=provisional: provisional)  # type: ignore[misc]
                yield from _replayed(path, story, how)
        path = write(Path(folder) / "a.yaml", *RECORDINGS["names"])
        for names in (["a"], ["b"], ["c"], ["c", "d"], [None]):
            for match in _MATCHES:
                yield f"# names, as {names}, {match}"
                yield from _replayed(path, STORIES["names"][1], CassetteSettings(match=match), names)


def _replayed(
    path: Path, story: Sequence[Interaction], settings: CassetteSettings, names: Sequence[str | None] = ()
) -> Iterator[str]:
    """Yield what became of each request; conversations take turns in the names."""
    now: list[str | None] = [None]
    settings = replace(settings, shown_as="a.yaml", command="pytest X", conversation_id=lambda: now[0])
    session = _begun(path, settings)
    for number, one in enumerate(story):
        now[0] = names[number % len(names)] if names else None
        peeked, fits = session.peek(one.request), session.fits(one.request)
        answer = session.answer(one.request)
        if isinstance(answer, Miss):
            yield "\n".join(
                [f"{answer.kind}{' again' * (answer.count > 1)}, peek {peeked}, fits {fits}:", answer.message]
            )
        else:
            same = "" if peeked is answer else " BUT PEEKED ANOTHER"
            yield f"served {answer.position}{same}, fits {fits}"
    yield from _summed_up(session)


def _summed_up(session: CassetteSession) -> Iterator[str]:
    for one in session.drifts:
        yield f"  {one} ({one.similarity:.2f})"
    kept = [(play.number, play.position, play.conversation) for play in session.exchanges]
    unsettled = len(session.misses)
    session.settle([])
    yield f"  {kept} stale={session.stale} unplayed={[one.number for one in session.unplayed]}"
    served = [(play.number, raw.response.status, len(raw.response.body)) for play, raw in session.replayed]
    yield f"  {served} of {session.size}, {len(session.kept[0])} {session.kept[1]}"
    if len(session.misses) > unsettled:
        yield "\n".join(["  not proven:", *(miss.message for miss in session.misses[unsettled:])])


def _begun(path: Path, settings: CassetteSettings, max_age_s: float | None = None, now: float = 0.0) -> CassetteSession:
    mode = settings.mode
    session = CassetteSession(path, kept_interactions(path, mode), settings, NetworkGuard())
    begin(session, mode, max_age_s, lambda: now)
    return session


_DATED = replace(LOOP[0], response_headers=(("Date", ("Mon, 23 Nov 2026 00:00:00 GMT",)),))
_DAY = 1_795_392_000.0
"""That date, in seconds since the epoch."""


def recordings() -> Iterator[str]:
    """What is begun, recorded, counted and left in each mode."""
    modes: tuple[Mode, ...] = ("none", "missing", "stale", "all", "verify")
    for there in (False, True):
        for mode in modes:
            with tempfile.TemporaryDirectory() as folder:
                yield f"# {mode}, {'there' if there else 'absent'}"
                yield from (line.replace(folder, "FOLDER") for line in _recorded(Path(folder), mode, there=there))
    for age in (None, 59.0, 60.0, 61.0):
        for limit in (None, 60.0):
            with tempfile.TemporaryDirectory() as folder:
                path = write(Path(folder) / "a.yaml", _DATED if age is not None else LOOP[0])
                session = _begun(path, CassetteSettings("stale"), limit, _DAY + (age or 0.0))
                yield f"{age} of {limit}: {session.age_s} expired={session.expired} recording={session.recording}"
                session.finish(complete=False)
    with tempfile.TemporaryDirectory() as folder:
        session = _begun(Path(folder) / "x" / "y" / "a.yaml", CassetteSettings("all"))
        session.record(replace(LOOP[0], status=500, response_body=b"{}"))
        session.finish(complete=False)
        yield f"{[_unnumbered(note) for note in session.notes]}"
        session = _begun(Path(folder) / "b.yaml", CassetteSettings("all"))
        session.finish(complete=True)
        yield f"{session.notes}"
    for calls, tokens in ((0, None), (1, None), (2, None), (None, 0), (None, 15), (None, 16), (2, 15)):
        yield from _allowed(calls, tokens)


def _recorded(folder: Path, mode: Mode, *, there: bool) -> Iterator[str]:
    path = folder / "a.yaml"
    if there:
        write(path, *LOOP)
    kept: list[int] = []
    settings = CassetteSettings(
        mode, command="pytest X", conversation_id=lambda: "c", on_record=lambda p: kept.append(p.number)
    )
    session = _begun(path, settings)
    yield f"recording={session.recording} awaits_first={session.awaits_first} size={session.size} {session.notes}"
    if not session.recording:
        answer = session.answer(LOOP[0].request)
        yield f"{answer.kind if isinstance(answer, Miss) else answer.position} outgrown={session.outgrown}"
        answer = session.answer(_asked(_OTHER)[0].request)
        yield f"{answer.kind if isinstance(answer, Miss) else answer.position} outgrown={session.outgrown}"
        yield f"awaits_first={session.awaits_first} {session.anew}"
        return
    failed = replace(LOOP[0], status=500, response_body=b"{}")
    download = replace(_at(LOOP[0], "https://files.test:1/x", "get"), request_body=b"", response_body=b"x")
    for one in (failed, LOOP[0], download, download):
        session.expect(one.request)
        waits = session.answered
        session.record(one)
        answered = f"answered={waits}/{session.answered} unanswered={session.unanswered}"
        yield f"{one.status}: {kept} {answered} {session.notes}"
    with finishing(session):
        pass
    yield f"{[(p.number, p.conversation, p.position) for p in session.exchanges]} {session.notes} {session.unplayed}"
    yield f"{len(session.lived)} {[file.name for file in sorted(folder.iterdir())]}"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    yield f"{lines.count('- request:')} exchanges, {lines.count('      - c')} of conversation c"


def _allowed(calls: int | None, tokens: int | None) -> Iterator[str]:
    """Yield how far a cap reaches, and how the refusal is said."""
    usage = json.dumps({**json.loads(LOOP[0].response_body), "usage": {"prompt_tokens": 10, "completion_tokens": 5}})
    counted = replace(LOOP[0], response_body=usage.encode())
    with tempfile.TemporaryDirectory() as folder:
        settings = CassetteSettings("all", command="pytest X", allowance=Allowance(calls, tokens), shown_as="a.yaml")
        session = _begun(Path(folder) / "a.yaml", settings)
        while not session.capped:
            session.record(counted)
        yield f"{calls} calls, {tokens} tokens: {len(session.recorded)}, {settings.allowance.reached}"
        answer = session.answer(LOOP[1].request)
        yield answer.message if isinstance(answer, Miss) else f"served {answer.position}"
        try:
            with finishing(session):
                pass
        except CassetteError as error:
            yield str(error)
        yield f"{[_unnumbered(note) for note in session.notes]} {session.unanswered}"


def _unnumbered(note: str) -> str:
    """Return a note without the random part of a journal's name."""
    words = note.split(" ")
    return " ".join("PART" if word.endswith(".part") else word for word in words)
