"""How calls, commands and refreshed requests are recorded, and which of them are refused."""

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

from pytest_planguard.replay.call_data import answer_in, plain, rebuilder, rebuilt, replayable
from pytest_planguard.replay.call_request import call_name, interaction_of, request_of
from pytest_planguard.replay.commands import taped_run as runs
from pytest_planguard.replay.commands.record_or_replay import Call, _prompt_files, _test_folder
from pytest_planguard.replay.commands.taped_run import tape_scope
from pytest_planguard.replay.commands.work_folder import FolderNames, changes, look
from pytest_planguard.replay.files.cassette_text import render
from pytest_planguard.replay.files.interaction import Interaction, local_exchange
from pytest_planguard.replay.privacy.redaction_rules import Redaction
from pytest_planguard.replay.session.rekey import (
    DEFAULTS,
    FOLDER,
    SentRequest,
    keep_sent,
    read_sent,
    rekey,
    rekeyed,
    write_rekeyed,
)
from pytest_planguard.replay.session.rerecord import RerecordHint, age_s, age_text, newest_answer, rerecord_hint
from pytest_planguard.replay.taped_call import taped
from pytest_planguard.wire.exchange import Message

from ...support.decisions import Block, Decided, Messages, inputs, sorted_out
from ...support.envelopes import URL, message, write_twice
from .show import refused


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


def values_of_calls(page: Messages) -> Iterator[Block]:
    """What each value is written as, and what comes back of an answer by what a function returns."""
    decided = []
    for number, value in enumerate(_VALUES, 1):
        name = f"{number} {getattr(value, '__name__', type(value).__name__)}"
        work = partial(_plain, value)
        decided.append((name, refused(page, work)))
    yield Block("a value", decided)
    given = ("a", 5, _Reply(words="x"), _Pair("a"), [1], {"a": 1}, dt.date(2026, 1, 2), None, object())
    decided = []
    for number, returns in enumerate((None, Any, str, _Reply, _Pair, list[int], dict[str, int], dt.date), 1):
        rebuild = rebuilder(returns)
        ways = [(refused(page, partial(replayable, value, rebuild, "ask")), type(value).__name__) for value in given]
        kept = [("kept" if said not in ("UsageError", "CassetteError") else said, name) for said, name in ways]
        again = refused(page, partial(rebuilt, {"odd": [1]}, rebuild, "ask"))
        name = getattr(returns, "__name__", str(returns))
        decided.append(Decided(f"returns {number}", f"{sorted_out(kept)}; read again: {again}", name))
    yield Block("what a function returns, and may return", decided)


def _plain(value: Any) -> str:
    return json.dumps(plain(value, "the argument a"), sort_keys=True)


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


def calls(page: Messages) -> Iterator[Block]:
    """How calls are written and named, and what answers are."""
    decided = []
    for number, (ask, args, kwargs) in enumerate(_CALLS, 1):
        decided.append((f"call {number}", refused(page, partial(_asked, ask, args, kwargs))))
    yield Block("a call", decided)
    named: dict[str, Any] = {
        "a function": _ask,
        "a method": _Client().ask,
        "an object": _Client(),
        "a partial": partial(partial(_ask, "a"), limit=2),
        "a lambda": lambda: "",
        "a built-in": len,
    }
    yield Block("what is called", [(name, str(call_name(ask))) for name, ask in named.items()])
    one = interaction_of(request_of("ask", _ask, ("a",), {}, ()), {"é": 1}, 1.25)
    headers = [name for name, _ in one.response_headers]
    said = f"{one.method} {one.url} {one.status} {one.reason} {one.request_headers} {headers} {one.response_body!r}"
    yield Block("a call with its answer", [("whole", said)])
    bodies = (b'{"answer": [1]}', b'{"answer": null}', b"{}", b"[]", b"{", b"\xff")
    yield Block("an answer", [(f"{body!r}", refused(page, partial(answer_in, body))) for body in bodies])
    wrong = (5, "ask", None)
    yield Block("no function", [(str(one), refused(page, partial(taped, one))) for one in wrong])  # type: ignore[type-var]


def _asked(ask: Any, args: Any, kwargs: Any) -> str:
    made = request_of("my ask", ask, args, kwargs, ["client"])
    return f"{made.url} {made.body.decode()} {len(made.messages)} messages"


_ARGUMENTS = (
    *(("--api-key", "abcd"), ("--api-key=abcd", "x"), ("-p", "abcd"), ("--password", "--title", "x"), ("--token", "a")),
    *(("--key", "Sommer2024"), ("--key", "sommer"), ("--pass", "Sommer2024"), ("--token", "Sommer2024")),
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


def commands(page: Messages) -> Iterator[Block]:
    """How runs of commands are written and read, and which files and variables belong to them."""
    ways = [(f"{one!a}", f"{json.loads(runs.CommandRequest('c', tuple(one)).body)['argv']!a}") for one in _ARGUMENTS]
    yield Block("arguments", [(name, said) for name, said in ways])
    full = runs.CommandRequest("my agent", ("a", "--x"), b"in", {"p.md": b"prompt"}, {"LANG": "C"})
    given = {
        "full": full,
        "bare": runs.CommandRequest("agent", ()),
        "bytes": replace(full, stdin=b"\xff", environment={}, prompt_files={}),
    }
    decided = []
    for name, one in given.items():
        said = f"{one.message.method} {one.url} {one.body.decode()} {dict(one.message.headers)}"
        read = f"{runs.stdin_of(one.body)!r} {runs.environment_of(one.body)}"
        decided.append((name, f"{said}; {read}"))
    for body in (b"{", b"[]", b'{"stdin": 5}', b'{"environment": {"A": 5, "B": "b"}}', b'{"environment": 5}', b"\xff"):
        read = f"{runs.stdin_of(body)!r} {runs.environment_of(body)}"
        decided.append((f"{body!r}", read))
    yield Block("what a command is given", decided)
    decided = []
    for data in _RESULTS:
        work = partial(runs.result_of, json.dumps(data).encode())
        body = refused(page, lambda work=work: work().body.decode())  # type: ignore[misc]
        decided.append((f"{data}", f"{refused(page, work)} {body}"))
    yield Block("what a command came to", decided)
    one = local_exchange(full.url, full.body, runs.CommandResult(b"o", b"e", 0).body, 2.0)
    headers = tuple((name, ("now",) if name == "Date" else values) for name, values in one.response_headers)
    said = f"{one.method} {one.url} {one.status} {one.reason} {headers} {one.response_body!r}"
    call = Call.of(b"\0".join([b"t", b"c", b"i", b"/f", b"2", b"A=b=c", b"B=", b"agent", b"x", b""]))
    yield Block("a run", [("run", said), ("call", f"{call}")])
    yield from _scopes(page)
    yield Block("folders", [*_folders()])


_PATTERNS = inputs("replay", "patterns")
_PATHS = inputs("replay", "paths_of_commands")


def _scopes(page: Messages) -> Iterator[Block]:
    decided = []
    for pattern in _PATTERNS:
        scope = partial(tape_scope, [f" {pattern} "], ())
        said = refused(page, lambda scope=scope: [path for path in _PATHS if scope().records(path)])  # type: ignore[misc]
        decided.append(Decided(pattern, said, pattern[:30]))
    both = tape_scope(["*.md", "!docs/**", "docs/b/*"], [" LANG ", "_X1"])
    said = f"{[path for path in _PATHS if both.records(path)]} {both.environment}"
    yield Block("files that belong to a run", [*decided, ("both", said)])
    names = ("1A", "A-B", "", "PATH", "MY_TOKEN", "API_KEY", "A" * 100, "A" * 101, "Ä")
    ways = {name: refused(page, partial(tape_scope, (), [name])) for name in names}
    yield Block("variables", [Decided(name, said[:40], name[:30]) for name, said in ways.items()])


def _folders() -> Iterator[Decided]:
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
        seen = f"{[(path, state[1:]) for path, state in before.files.items()]} {before.complete}"
        yield ("seen", seen)
        (folder / "a.md").write_text(f"in {folder} and {base}/t1/x", encoding="utf-8")
        (folder / "new.md").write_bytes(b"new")
        (folder / "large.md").write_bytes(b"x" * 1_000_001)
        (folder / "b" / "c.txt").unlink()
        after = changes(folder, before, look(folder, names), names)
        yield ("changed", f"{after.files} {after.notes}".replace(base, "BASE"))
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
        yield ("named", f"{sorted(_prompt_files(folder, words))}")
        inside = names.spelt_out(b"<work-folder>/a <test-folder>/b").decode()
        spelt = f"{inside.replace(base, 'BASE')} {names.shortened_text(str(folder / 'x'))}"
        yield ("spelt", spelt)
        for place in (folder, Path(base), Path(base, "t2"), Path("/")):
            found = _test_folder(place, Path(base))
            name = str(place).replace(base, "BASE")
            yield (name, f"{None if found is None else found.name} {_test_folder(place, None)}")


def refreshed(page: Messages) -> Iterator[Block]:
    """Ages, the price of a new cassette, and which requests are taken over."""
    texts = ("12h", "90d", "8w", " 1 h ", "0d", "5m", "1000000h", "h", "-1d", "1.5d", "")
    yield Block("an age", [Decided(text, refused(page, partial(age_s, text))) for text in texts])
    seconds = (0, 3_599, 3_600, 7_200, 172_799, 172_800, 259_200, 86_400_000)
    yield Block("seconds", [(f"{one}", age_text(one)) for one in seconds])
    dates = ("Thu, 01 Jan 2026 00:00:00 GMT", "Fri, 02 Jan 2026 00:00:00 GMT", "soon", "")
    decided = []
    for given in (dates, dates[2:], (), dates[:1]):
        newest = newest_answer(Message({"date": date}, b"") for date in given)
        decided.append((f"{len(given)} dates", f"{newest}"))
    for hint in ((0, None, None), (1, None, None), (2, 0, 1), (1_000, 1_000, 230), (1, 5, None), (1, None, 7)):
        one = str(RerecordHint("pytest X", *hint))
        page.add("hint to record again", one)
        decided.append((f"hint {hint}", "with its price" if "#" in one else "without a price"))
    one = str(rerecord_hint("pytest X", ()))
    decided.append(("hint of nothing", "with its price" if "#" in one else "without a price"))
    yield Block("the newest answer", decided)
    sent = message()
    for name, values in DEFAULTS.items():
        given = (*values, "odd", 5, not values[0])
        ways = [(value, rekeyed(sent, SentRequest(1, message(**{name: value})))) for value in given]
        said = [
            ("taken over" if one.allowed else "refused" if one.changes else "the same", f"{value}")
            for value, one in ways
        ]
        yield Block(f"the parameter {name}", [Decided(f"{name}", sorted_out(said), "values")])
    yield Block("requests that are taken over", [*_rewritten(page)])


def _rewritten(page: Messages) -> Iterator[Decided]:
    with tempfile.TemporaryDirectory() as base:
        path = write_twice(Path(base))
        changed = SentRequest(2, message({"user-agent": "sdk/2", "x-new": "1"}, f"{URL}?key=abcd", n=1, seed=None))

        def said(name: str, work: Callable[[], object]) -> Decided:
            found = refused(page, work, base, path).replace(base, "BASE")
            return (name, found if len(found) < 200 else f"{found[:60]}… of {len(found)}")

        yield said("a changed request", partial(rekey, path, [changed]))
        yield said("none", partial(rekey, path, []))
        yield said("another model", partial(rekey, path, [SentRequest(1, message(model="m2"))]))
        yield said("nothing was kept", partial(read_sent, path))
        kept = keep_sent(Path(base), path, [changed], Redaction())
        was_kept = f"{[(one.position, one.request.url) for one in kept]} {read_sent(path) == kept}"
        yield ("kept", was_kept)
        (file,) = Path(base, FOLDER).iterdir()
        file.write_text("[]", encoding="utf-8")
        yield said("a broken file", partial(read_sent, path))
        keep_sent(Path(base), path, [changed], Redaction())
        path.write_text(path.read_text(encoding="utf-8") + "# by hand\n", encoding="utf-8")
        yield said("a cassette that was edited", partial(read_sent, path))
        yield said("an edited cassette", partial(rekey, path, []))
        write_rekeyed(path, "version: 1\n")
        left = f"{path.read_bytes()!r} {[one.name for one in sorted(Path(base).iterdir())]}"
        yield ("written", left)
        yield said("an absent folder", partial(write_rekeyed, Path(base, "absent", "a.yaml"), ""))
        early = {"request": {"uri": URL, "body": "{}"}, "response": {"status": "200", "body": {"string": "x"}}}
        path.write_text(json.dumps({"version": 1, "interactions": [early]}), encoding="utf-8")
        yield said("an early form", partial(rekey, path, []))
        odd = Interaction("POST", URL, (), b"words", 200, "", (), b"")
        path.write_text(render([odd]), encoding="utf-8")
        yield said(
            "words for a body", partial(rekey, path, [SentRequest(1, Message({"a": "b"}, b"words", "POST", URL))])
        )
