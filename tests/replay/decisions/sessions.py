"""What sessions answer, refuse and record, request by request: served, stale or refused."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pytest_planguard.errors import CassetteError
from pytest_planguard.replay.files.interaction import Interaction
from pytest_planguard.replay.matching.cassette_index import CONVERSATION_HEADER
from pytest_planguard.replay.matching.refusal import Miss
from pytest_planguard.replay.network.guard import NetworkGuard
from pytest_planguard.replay.session.playback import Allowance, CassetteSettings, Mode
from pytest_planguard.replay.session.session import CassetteSession, begin, finishing, kept_cassette

from ...support.decisions import Block, Decided, Messages
from ...support.exchanges import assistant, chat, user, write
from ..matching.ticket_chat import BAD, CONTRACT, GOOD, TASK, TOLD, retry
from .secrets import KEY, URL

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
CASSETTES: dict[str, tuple[Interaction, ...]] = {
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


def sessions(page: Messages) -> Iterator[Block]:
    """What each request of a story gets in each mode, and what is said of the whole."""
    with tempfile.TemporaryDirectory() as folder:
        for recording, stories in STORIES.items():
            path = write(Path(folder) / "a.yaml", *CASSETTES[recording])
            for number, story in enumerate(stories, 1):
                ways: dict[str, Any] = {match: CassetteSettings(match=match) for match in _MATCHES}
                if recording == "a loop":
                    ways |= {
                        f"by its contract{', provisional' * provisional}": CassetteSettings(
                            contracts=(CONTRACT,),
                            provisional=lambda provisional=provisional: provisional,  # type: ignore[misc]
                        )
                        for provisional in (False, True)
                    }
                title = f"{recording}, story {number}"
                decided = [
                    Decided(f"{title}, {way}: {_sent(story)}", _replayed(page, path, story, how), way)
                    for way, how in ways.items()
                ]
                yield Block(title, decided)
        path = write(Path(folder) / "a.yaml", *CASSETTES["names"])
        for names in (["a"], ["b"], ["c"], ["c", "d"], [None]):
            decided = []
            for match in _MATCHES:
                said = _replayed(page, path, STORIES["names"][1], CassetteSettings(match=match), names)
                decided.append(Decided(f"names, as {names}, {match}", said, match))
            yield Block(f"names, as {names}", decided)


def _sent(story: Sequence[Interaction]) -> str:
    return json.dumps([[one.method, one.url, one.request_body.decode()] for one in story])


def _replayed(
    page: Messages,
    path: Path,
    story: Sequence[Interaction],
    settings: CassetteSettings,
    names: Sequence[str | None] = (),
) -> str:
    """Return what became of each request; conversations take turns in the names."""
    now: list[str | None] = [None]
    settings = replace(settings, shown_as="a.yaml", command="pytest X", conversation_id=lambda: now[0])
    session = _begun(path, settings)
    given = []
    for number, one in enumerate(story):
        now[0] = names[number % len(names)] if names else None
        peeked, fits = session.peek(one.request), session.fits(one.request)
        answer = session.answer(one.request)
        if isinstance(answer, Miss):
            _note(page, answer)
            given.append(f"{answer.kind}{' again' * (answer.count > 1)}{' but peeked' * (peeked is not None)}")
        else:
            given.append(f"served {answer.position}{' but peeked another' * (peeked is not answer)}")
        given[-1] += "" if fits else ", unfit"
    return "; ".join([*given, *_summed_up(page, session)])


def _note(page: Messages, miss: Miss) -> None:
    for line in miss.message.splitlines():
        page.add("missed request", line, *(line.partition(mark)[2] for mark in ("sent:      ", "changed:   ")))


def _summed_up(page: Messages, session: CassetteSession) -> Iterator[str]:
    drifts = [
        f"{one.position} in {', '.join(change.path for change in one.changes)} {one.similarity:.2f}"
        for one in session.drifts
    ]
    unsettled = len(session.misses)
    session.settle([])
    yield f"{'stale' if session.stale else 'fresh'}{', drift of ' * bool(drifts)}{' and '.join(drifts)}"
    unplayed = [one.number for one in session.unplayed]
    played = [f"{play.position}{f' {play.conversation}' if play.conversation else ''}" for play in session.exchanges]
    counts = f"played {' '.join(played) or 'none'}, replayed {len(session.replayed)} of {session.size}"
    yield f"{counts}{f', unplayed {unplayed}' if unplayed else ''}"
    for miss in session.misses[unsettled:]:
        _note(page, miss)
        yield f"not proven: {miss.kind}"


def meanings(page: Messages) -> Iterator[Block]:
    """Whether a request is answered from cassettes of others: of many at once, and of each by itself."""
    requests = [*_requests()]
    with tempfile.TemporaryDirectory() as folder:
        path = write(Path(folder) / "all.yaml", *requests[: len(_MEANT)])
        decided = [Decided(_as_sent(one), _ways(path, one), f"request {at}") for at, one in enumerate(requests, 1)]
        yield Block("a request, among cassettes of the first ones, strictly and by the gate", decided)
        for number, recorded in enumerate(requests[: len(_MEANT)], 1):
            path = write(Path(folder) / f"{number}.yaml", recorded)
            met = enumerate(requests[:9], 1)
            decided = [Decided(_as_sent(one), _ways(path, one), f"request {at}") for at, one in met]
            yield Block(f"met by recording {number}: {_sent([recorded]).replace(KEY, 'KEY')[:100]}", decided)


def _as_sent(one: Interaction) -> str:
    return json.dumps([one.method, one.url, one.request_body.decode()])


def _ways(path: Path, sent: Interaction) -> str:
    return " / ".join(_met(path, sent, match) for match in ("strict", "gated"))


def _met(path: Path, sent: Interaction, match: Any) -> str:
    """Return whether a cassette of one request answers another, and where they differ."""
    session = _begun(path, CassetteSettings(match=match, shown_as="a.yaml", command="pytest X"))
    answer = session.answer(sent.request)
    drifts = [f"{', '.join(change.path for change in one.changes)} {one.similarity:.3f}" for one in session.drifts]
    return " ".join([answer.kind if isinstance(answer, Miss) else f"served {answer.position}", *drifts])


def _requests() -> Iterator[Interaction]:
    for method, url, headers in _SENT:
        given = tuple((name, (value,)) for name, value in headers.items())
        for body in _MEANT:
            data = (body if isinstance(body, str) else json.dumps(body)).encode()
            yield replace(LOOP[0], method=method, url=url, request_headers=given, request_body=data)


_SENT: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("POST", URL, {}),
    ("get", "https://api.test//v1///x?b=2&a=1&key=abcd&c=", {}),
    ("POST", f"https://api.test/{KEY}", {"content-type": "multipart/form-data; boundary=abc"}),
)
_ENVELOPE = (
    *("stream_options", "user", "metadata", "safety_identifier", "prompt_cache_key", "prompt_cache_retention"),
    *("service_tier", "store", "include", "background", "extra_headers", "timeout", "cache_control", "seed"),
)
_ERRORS = (
    "2 validation errors for T\ntitle\n  Field required [type=missing, input_value={}, input_type=dict]\n"
    "a.0\n  Input should be a valid string [type=string_type, input_value=1, input_type=int]\n"
)
_MEANT = (
    {
        "model": "m",
        "messages": [{"role": "user", "content": [{"type": "text", "text": "hi"}]}],
        "stream": False,
        "n": None,
    },
    {"model": "m", "messages": [{"role": "user", "content": "hi"}]},
    {"model": "m", "messages": [{"role": "user", "content": "ho there you"}], "stream": True},
    {
        "model": "m",
        "messages": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "x"}],
        "temperature": 1,
    },
    {
        "model": "n",
        "input": [{"type": "input_text", "text": "hi", "annotations": []}],
        "metadata": {"a": 1},
        "user": "u",
    },
    {"model": "n", "contents": [{"parts": [{"text": "hi at 2026-01-01T00:00:00Z and call_abcdefghijkl0123"}]}]},
    {
        "messages": [
            {
                "role": "user",
                "content": "errors:\n- b: Field required\n- a: Field required\n123e4567-e89b-12d3-a456-426614174000",
            }
        ]
    },
    {
        "messages": [
            {
                "role": "user",
                "content": "errors:\n- a: Field required\n- b: Field required\n123e4567-e89b-12d3-a456-426614174001",
            }
        ]
    },
    {
        "messages": [
            {"role": "user", "content": _ERRORS},
            {"role": "assistant", "content": _ERRORS},
            {"role": "user", "content": f"Please  correct:\n{_ERRORS}\nThanks a lot"},
            {"role": "user", "content": [{"type": "text", "text": _ERRORS.replace("title", "steps")}, 5]},
        ]
    },
    {
        "input": [
            {"role": "user", "content": _ERRORS},
            {"type": "function_call", "arguments": _ERRORS},
            {"type": "function_call_output", "output": _ERRORS},
        ]
    },
    {"input": _ERRORS, "messages": 5},
    {"model": "m", **dict.fromkeys(_ENVELOPE, 1), "nested": {**dict.fromkeys(_ENVELOPE, 1), "cache_control": 1}},
    {"prompt": "<f at 0x7f3a12> see https://errors.pydantic.dev/2.11/v/missing on 2026-11-22 14:47 or at 0x12"},
    [1, {"content": [{"type": "image"}]}],
    "words --abc in a form",
    "{broken",
    {"password": "hunter2", "messages": [{"content": KEY}]},
)


def _begun(path: Path, settings: CassetteSettings, max_age_s: float | None = None, now: float = 0.0) -> CassetteSession:
    mode = settings.mode
    kept = kept_cassette(path, mode)
    session = CassetteSession(path, kept.interactions if kept else (), settings, NetworkGuard())
    begin(session, mode, max_age_s, lambda: now)
    return session


_DATED = replace(LOOP[0], response_headers=(("Date", ("Mon, 23 Nov 2026 00:00:00 GMT",)),))
_DAY = 1_795_392_000.0
"""That date, in seconds since the epoch."""


_DATED = replace(LOOP[0], response_headers=(("Date", ("Mon, 23 Nov 2026 00:00:00 GMT",)),))
_DAY = 1_795_392_000.0
"""That date, in seconds since the epoch."""


def cassettes(page: Messages) -> Iterator[Block]:
    """What is begun, recorded, counted and left in each mode."""
    modes: tuple[Mode, ...] = ("none", "missing", "stale", "all", "verify")
    for there in (False, True):
        decided = []
        for mode in modes:
            with tempfile.TemporaryDirectory() as folder:
                decided.append(Decided(f"{mode} {there}", _recorded(page, Path(folder), mode, there=there), mode))
        yield Block(f"a cassette that is {'there' if there else 'absent'}", decided)
    with tempfile.TemporaryDirectory() as folder:
        session = _begun(Path(folder) / "x" / "y" / "a.yaml", CassetteSettings("all"))
        session.record(replace(LOOP[0], status=500, response_body=b"{}"))
        session.finish(complete=False)
        decided = [("an absent folder", f"{len(session.notes)} notes")]
        session = _begun(Path(folder) / "b.yaml", CassetteSettings("all"))
        session.finish(complete=True)
        decided.append(("nothing recorded", f"{len(session.notes)} notes"))
    yield Block("a cassette that is not complete, and one of nothing", decided)
    decided = []
    for age in (None, 59.0, 60.0, 61.0):
        for limit in (None, 60.0):
            with tempfile.TemporaryDirectory() as folder:
                path = write(Path(folder) / "a.yaml", _DATED if age is not None else LOOP[0])
                session = _begun(path, CassetteSettings("stale"), limit, _DAY + (age or 0.0))
                name = f"{age} of {limit}"
                aged = "expired" if session.expired else "young"
                said = f"age {session.age_s}, {aged}{', recording' * session.recording}"
                decided.append((name, said))
                session.finish(complete=False)
    yield Block("an age in seconds, and how much it may be", decided)
    given: tuple[tuple[int | None, int | None], ...] = (
        (0, None),
        (1, None),
        (2, None),
        (None, 0),
        (None, 15),
        (None, 16),
        (2, 15),
    )
    decided = [Decided(f"{one}", _allowed(page, *one), f"{one[0]} calls, {one[1]} tokens") for one in given]
    yield Block("a cap", decided)


def _recorded(page: Messages, folder: Path, mode: Mode, *, there: bool) -> str:
    path = folder / "a.yaml"
    if there:
        write(path, *LOOP)
    settings = CassetteSettings(mode, command="pytest X", conversation_id=lambda: "c")
    session = _begun(path, settings)
    for note in session.notes:
        page.add("note of a cassette", str(note), folder)
    begun = f"{'recording' if session.recording else 'replaying'} {session.size}"
    begun += ", awaits the first" * session.awaits_first
    if not session.recording:
        answers = [session.answer(one.request) for one in (LOOP[0], _asked(_OTHER)[0])]
        said = [answer.kind if isinstance(answer, Miss) else f"served {answer.position}" for answer in answers]
        return f"{begun}; {', '.join(said)}{', outgrown' * session.outgrown}"
    failed = replace(LOOP[0], status=500, response_body=b"{}")
    download = replace(_at(LOOP[0], "https://files.test:1/x", "get"), request_body=b"", response_body=b"x")
    steps = []
    for one in (failed, LOOP[0], download, download):
        session.expect(one.request)
        waits = session.answered
        session.record(one)
        steps.append(
            f"{one.status} {'answered' if waits else 'awaited'}/{'answered' if session.answered else 'awaited'}"
        )
    with finishing(session):
        pass
    for note in session.notes:
        page.add("note of a cassette", str(note), folder)
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    left = f"{lines.count('- request:')} exchanges, {lines.count('      - c')} of conversation c"
    names = [file.name for file in sorted(folder.iterdir())]
    return f"{begun}; {', '.join(steps)}; {len(session.exchanges)} kept, {len(session.notes)} notes, {left}, {names}"


def _allowed(page: Messages, calls: int | None, tokens: int | None) -> str:
    """Return how far a cap reaches, and what comes of the next request."""
    usage = json.dumps({**json.loads(LOOP[0].response_body), "usage": {"prompt_tokens": 10, "completion_tokens": 5}})
    counted = replace(LOOP[0], response_body=usage.encode())
    with tempfile.TemporaryDirectory() as folder:
        settings = CassetteSettings("all", command="pytest X", allowance=Allowance(calls, tokens), shown_as="a.yaml")
        session = _begun(Path(folder) / "a.yaml", settings)
        while not session.capped:
            session.record(counted)
        answer = session.answer(LOOP[1].request)
        ended = "finished"
        if isinstance(answer, Miss):
            _note(page, answer)
        try:
            with finishing(session):
                pass
        except CassetteError as error:
            page.add("refused", str(error), folder)
            ended = "refused"
        next_one = answer.kind if isinstance(answer, Miss) else f"served {answer.position}"
        return f"{len(session.recorded)} recorded, then {next_one}, {ended}{', unanswered' * session.unanswered}"
