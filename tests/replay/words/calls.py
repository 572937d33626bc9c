"""What recorded calls, commands and refreshed requests look like, and what is said where they cannot be read."""

from __future__ import annotations

import datetime as dt
import decimal
import enum
import json
import tempfile
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

from pydantic import BaseModel

from pytest_planguard.errors import PlanguardError
from pytest_planguard.replay.calls.call_request import answer_in, call_name, interaction_of, request_of
from pytest_planguard.replay.calls.plain_data import checked, plain, rebuilding, rebuilt
from pytest_planguard.replay.calls.taped_call import taped
from pytest_planguard.replay.commands import command_run as runs
from pytest_planguard.replay.commands.one_run import Call, _prompt_files, _test_folder
from pytest_planguard.replay.commands.placeholders import FolderNames
from pytest_planguard.replay.commands.tape_scope import tape_scope
from pytest_planguard.replay.commands.work_folder import changes, look
from pytest_planguard.replay.files.interaction import Interaction
from pytest_planguard.replay.files.recording_text import render
from pytest_planguard.replay.privacy.redaction import Redaction
from pytest_planguard.replay.refresh.age import age_s, age_text, newest_answer
from pytest_planguard.replay.refresh.rekey import DEFAULTS, SentRequest, rekey, rekeyed, write_rekeyed
from pytest_planguard.replay.refresh.rerecord_hint import RerecordHint, rerecord_hint
from pytest_planguard.replay.refresh.sent_file import FOLDER, keep_sent, read_sent
from pytest_planguard.wire.exchange import Message

from ...support.envelopes import URL, message, write_twice


def _or_error(work: Callable[[], object]) -> str:
    try:
        return str(work())
    except PlanguardError as error:
        return f"{type(error).__name__}: {error}"


class _Reply(BaseModel):
    words: str
    tokens: int = 0


class _Colour(enum.Enum):
    RED = "red"


class _Text(str):
    __slots__ = ()


@dataclass
class _Pair:
    left: str
    right: Any = None


class _Dumped:
    def to_dict(self) -> dict[str, Any]:
        return {"dumped": True}


_VALUES: tuple[Any, ...] = (
    *(None, True, 5, 1.5, "a", _Text("sub"), b"bytes", bytearray(b"\xff"), _Colour.RED, int, _Reply),
    *(dt.date(2026, 1, 2), dt.datetime(2026, 1, 2, 3, 4), dt.time(5, 6), decimal.Decimal("1.50")),
    *(PurePosixPath("a/b"), uuid.UUID(int=7), _Reply(words="x"), _Dumped(), _Pair("a", [b"b"]), {5: {"a": _Pair("x")}}),
    *({"b", "a"}, frozenset({2, 10}), [1, ("a", None)], object, _Pair("a", partial), {"k": [partial]}, iter(())),
)


def values() -> Iterator[str]:
    """What each value is written as, and what comes back of an answer by what a function returns."""
    for value in _VALUES:
        shown = type(value).__name__ if not isinstance(value, type) else value.__name__
        yield f"{shown}: {_or_error(lambda value=value: json.dumps(plain(value, 'the argument a'), sort_keys=True))}"  # type: ignore[misc]
    for returns in (None, Any, str, _Reply, _Pair, list[int], dict[str, int], dt.date):
        rebuild = rebuilding(returns)
        for value in ("a", 5, _Reply(words="x"), _Pair("a"), [1], {"a": 1}, dt.date(2026, 1, 2), None, object()):
            said = _or_error(lambda value=value, rebuild=rebuild: checked(value, rebuild, "ask"))  # type: ignore[misc]
            yield f"returns {returns}, {type(value).__name__}: {said}"
        yield f"returns {returns}: {_or_error(lambda rebuild=rebuild: rebuilt({'odd': [1]}, rebuild, 'ask'))}"  # type: ignore[misc]


def _ask(prompt: str, *more: Any, limit: int = 3, **options: Any) -> str:
    return f"{prompt}{more}{limit}{options}"


class _Client:
    def ask(self, prompt: str) -> str:
        return prompt

    def __call__(self, prompt: str) -> str:
        return prompt


def _turns(*members: str) -> list[dict[str, str]]:
    return [{member: "x"} for member in members]


_CALLS: tuple[tuple[Any, tuple[Any, ...], dict[str, Any]], ...] = (
    *(
        (_ask, ("a",), {}),
        (_ask, ("a", 1, 2), {"limit": 4, "x": 5}),
        (_ask, (), {"prompt": "a"}),
        (_ask, (), {"odd": 1}),
    ),
    *(
        (max, (1, 2), {}),
        (_ask, (_turns("role"),), {}),
        (_ask, (_turns("parts", "type"),), {}),
        (_ask, (_turns("type"),), {}),
    ),
    *(
        (_ask, (_turns("role", "other"),), {}),
        (_ask, ([],), {}),
        (_ask, ("a",), {"x": _turns("role"), "y": _turns("role")}),
    ),
    *((_ask, (object(),), {}), (_Client().ask, ("é",), {}), (_ask, ("a",), {"client": object(), "limit": 1})),
)


def calls() -> Iterator[str]:
    """How calls are written and named, and what answers are."""
    for ask, args, kwargs in _CALLS:
        made = lambda ask=ask, args=args, kwargs=kwargs: request_of("my ask", ask, args, kwargs, ["client"])  # type: ignore[misc]  # noqa: E731
        yield _or_error(lambda made=made: f"{made().url} {made().body.decode()} {made().messages}")  # type: ignore[misc]
    for named in (_ask, _Client().ask, _Client(), partial(partial(_ask, "a"), limit=2), lambda: "", len):
        yield f"named {call_name(named)}"
    one = interaction_of(request_of("ask", _ask, ("a",), {}, ()), {"é": 1}, 1.25)
    headers = tuple((name, values if name != "Date" else ("now",)) for name, values in one.response_headers)
    yield f"{one.method} {one.url} {one.status} {one.reason} {one.request_headers} {headers} {one.response_body!r}"
    for body in (b'{"answer": [1]}', b'{"answer": null}', b"{}", b"[]", b"{", b"\xff"):
        yield f"{body!r}: {_or_error(lambda body=body: answer_in(body))}"  # type: ignore[misc]
    for wrong in (5, "ask", None):
        yield _or_error(lambda wrong=wrong: taped(wrong))  # type: ignore[misc,type-var]


_ARGUMENTS = (
    *(("--api-key", "abcd"), ("--api-key=abcd", "x"), ("-p", "abcd"), ("--password", "--title", "x"), ("--token", "a")),
    *(
        ("--api-key", "--secret", "b"),
        ("--api-key", "--secret=b", "c"),
        ("--title=a", "--pwd"),
        ("api_key=abcd",),
        ("\udcff",),
    ),
    *(("--db-password:", "x"), ("--1key", "x"), ("--client_secret=", "x")),
)
_RESULTS: tuple[dict[str, Any], ...] = (
    {"stdout": "", "stderr": "", "files": []},
    {"stdout": {"base64": "/w=="}, "stderr": "e", "files": [], "exit_code": 3, "signal": None},
    {"stdout": "o", "stderr": "", "files": [{"path": "a", "before": "absent", "content": "x"}], "signal": 9},
    {"stdout": "o", "stderr": "", "files": [], "timed_out": True, "exit_code": None},
    {"stdout": "o", "stderr": "", "files": [5, {"path": "a"}]},
    *(
        {"stdout": 5, "stderr": "", "files": []},
        {"stderr": "", "files": []},
        {"stdout": "", "stderr": "", "exit_code": "x"},
    ),
)


def commands() -> Iterator[str]:
    """How runs of commands are written and read, and which files and variables belong to them."""
    for arguments in _ARGUMENTS:
        yield f"{arguments!a}: {runs.without_secret_values(arguments)!a}"
    full = runs.CommandRequest("my agent", ("a", "--x"), b"in", {"p.md": b"prompt"}, {"LANG": "C"})
    for request in (
        full,
        runs.CommandRequest("agent", ()),
        replace(full, stdin=b"\xff", environment={}, prompt_files={}),
    ):
        yield f"{request.url} {request.body.decode()} {dict(request.message.headers)} {request.message.method}"
        yield f"  {runs.stdin_of(request.body)!r} {runs.environment_of(request.body)}"
    for body in (b"{", b"[]", b'{"stdin": 5}', b'{"environment": {"A": 5, "B": "b"}}', b'{"environment": 5}', b"\xff"):
        yield f"{body!r}: {runs.stdin_of(body)!r} {runs.environment_of(body)}"
    for data in _RESULTS:
        read = partial(runs.result_of, json.dumps(data).encode())
        yield f"{data}: {_or_error(read)} {_or_error(lambda read=read: read().body.decode())}"  # type: ignore[misc]
    one = runs.interaction_of(full, runs.CommandResult(b"o", b"e", 0), 2.0, "now")
    yield f"{one.method} {one.url} {one.status} {one.reason} {one.response_headers} {one.response_body!r}"
    said = b"\0".join([b"t", b"c", b"i", b"/f", b"2", b"A=b=c", b"B=", b"agent", b"x", b""])
    yield f"{Call.of(said)}"
    yield from _scopes()
    yield from _folders()


_PATTERNS = (
    *("docs/**/*.md", "*.md", "a?.txt", "[ab].txt", "[!ab].txt", "docs/*", "**", "a/**", "[[].md", "[!].md", "a.md"),
    *("/a", "../a", "a//b", "./a", ".a", "a/.b", "a\\b", "x" * 200, "x" * 201, "", "[z-a]", "!docs/*", "!/a"),
)
_PATHS = ("a.md", "docs/a.md", "docs/b/a.md", "ab.txt", "a.txt", "c.txt", "docs/x", "a/b/c", "[.md", "aXmd", "a\nb.md")


def _scopes() -> Iterator[str]:
    for pattern in _PATTERNS:
        scope = partial(tape_scope, [f" {pattern} "], ())
        yield f"{pattern[:30]}: {_or_error(lambda scope=scope: [path for path in _PATHS if scope().records(path)])}"  # type: ignore[misc]
    both = tape_scope(["*.md", "!docs/**", "docs/b/*"], [" LANG ", "_X1"])
    yield f"{[path for path in _PATHS if both.records(path)]} {both.environment}"
    for name in ("1A", "A-B", "", "PATH", "MY_TOKEN", "API_KEY", "A" * 100, "A" * 101, "Ä"):
        yield f"{name[:30]}: {_or_error(partial(tape_scope, (), [name]))[:200]}"


def _folders() -> Iterator[str]:
    """Yield what is seen and changed in a folder, and which arguments name its files."""
    with tempfile.TemporaryDirectory() as base:
        folder, outside = Path(base, "t1", "work"), Path(base, "outside.md")
        names = FolderNames(folder, _test_folder(folder, Path(base)))
        for path, content in {"a.md": "one", "b/c.txt": "two", "b/conftest.py": "x", "node_modules/x": "y"}.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(content, encoding="utf-8")
        outside.write_text("no", encoding="utf-8")
        (folder / ".hidden").touch()
        (folder / "link.md").symlink_to(outside)
        before = look(folder, names)
        yield f"{[(path, state[1:]) for path, state in before.files.items()]} {before.complete}"
        (folder / "a.md").write_text(f"in {folder} and {base}/t1/x", encoding="utf-8")
        (folder / "new.md").write_bytes(b"new")
        (folder / "large.md").write_bytes(b"x" * 1_000_001)
        (folder / "b" / "c.txt").unlink()
        after = changes(folder, before, look(folder, names), names)
        yield f"{after.files} {after.notes}"
        words = ("a.md", "@b/../new.md", "--file=a.md", "--file=@new.md", "..", "/etc/passwd", str(outside), "x" * 501)
        words += (
            "link.md",
            ".hidden",
            "b/conftest.py",
            "large.md",
            "a\nb",
            "a.md\0",
            "",
            "absent.md",
            str(folder / "a.md"),
        )
        yield f"{sorted(_prompt_files(folder, words))}"
        inside = names.spelt_out(b"<work-folder>/a <test-folder>/b").decode()
        yield f"{inside.replace(base, 'BASE')} {names.shortened_text(str(folder / 'x'))}"
        for place in (folder, Path(base), Path(base, "t2"), Path("/")):
            found = _test_folder(place, Path(base))
            yield f"{None if found is None else found.name} {_test_folder(place, None)}"


def refreshed() -> Iterator[str]:
    """What is said of ages, of the price of a new recording, and of requests that are taken over."""
    for text in ("12h", "90d", "8w", " 1 h ", "0d", "5m", "1000000h", "h", "-1d", "1.5d", ""):
        yield f"{text!r}: {_or_error(partial(age_s, text))}"
    for seconds in (0, 3_599, 3_600, 7_200, 172_799, 172_800, 259_200, 86_400_000):
        yield f"{seconds}: {age_text(seconds)}"
    dates = ("Thu, 01 Jan 2026 00:00:00 GMT", "Fri, 02 Jan 2026 00:00:00 GMT", "soon", "")
    for given in (dates, dates[2:], (), dates[:1]):
        yield f"{newest_answer(Message({'date': date}, b'') for date in given)}"
    for hint in ((0, None, None), (1, None, None), (2, 0, 1), (1_000, 1_000, 230), (1, 5, None), (1, None, 7)):
        one = RerecordHint("pytest X", *hint)
        yield f"{one} | {one.estimate}"
    yield str(rerecord_hint("pytest X", ()))
    sent = message()
    for name, values in DEFAULTS.items():
        for value in (*values, "odd", 5, not values[0]):
            one = rekeyed(sent, SentRequest(1, message(**{name: value})))
            yield f"{name}={value}: {one.changes} {one.allowed}"
    yield from _rewritten()


def _rewritten() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as base:
        path = write_twice(Path(base))
        changed = SentRequest(2, message({"user-agent": "sdk/2", "x-new": "1"}, f"{URL}?key=abcd", n=1, seed=None))
        say = partial(_said, base)
        yield say(partial(rekey, path, [changed]))
        yield say(partial(rekey, path, []))[:40]
        yield say(partial(rekey, path, [SentRequest(1, message(model="m2"))]))
        yield say(partial(read_sent, path))
        kept = keep_sent(Path(base), path, [changed], Redaction())
        yield f"{[(one.position, one.request.url) for one in kept]} {read_sent(path) == kept}"
        (file,) = Path(base, FOLDER).iterdir()
        yield f"{len(file.stem)} {file.suffix} {sorted(json.loads(file.read_text(encoding='utf-8')))}"
        file.write_text("[]", encoding="utf-8")
        yield say(partial(read_sent, path)).replace(file.name, "FILE")
        keep_sent(Path(base), path, [changed], Redaction())
        path.write_text(path.read_text(encoding="utf-8") + "# by hand\n", encoding="utf-8")
        yield say(partial(read_sent, path))
        yield say(partial(rekey, path, []))
        write_rekeyed(path, "version: 1\n")
        yield f"{path.read_bytes()!r} {[one.name for one in sorted(Path(base).iterdir())]}"
        yield say(partial(write_rekeyed, Path(base, "absent", "a.yaml"), ""))
        early = {"request": {"uri": URL, "body": "{}"}, "response": {"status": "200", "body": {"string": "x"}}}
        path.write_text(json.dumps({"version": 1, "interactions": [early]}), encoding="utf-8")
        yield say(partial(rekey, path, []))
        odd = Interaction("POST", URL, (), b"words", 200, "", (), b"")
        path.write_text(render([odd]), encoding="utf-8")
        yield say(partial(rekey, path, [SentRequest(1, Message({"a": "b"}, b"words", "POST", URL))]))


def _said(base: str, work: Callable[[], object]) -> str:
    return _or_error(work).replace(base, "BASE")
