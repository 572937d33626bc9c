"""The public entries: what each reads, and which errors it may end in."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel

from pytest_planguard.errors import CassetteError, PlanguardError, RunError
from tests.contract.schema.deep_unions.schemas import union

ROOT = Path(__file__).parent.parent.parent
FIXTURES = ROOT / "fixtures"
TICKET = (
    '{"title": "Printer", "priority": "high", "steps": ["a", "b"], "size": 3, "when": "2026-11-22", "extra": {"a": 1}}'
)


@dataclass(frozen=True)
class Target:
    """One entry, fed with texts."""

    name: str
    run: Callable[[str, Path], object]
    """Read one text. The folder is empty, for entries that read files."""
    seeds: Callable[[], list[str]]
    allowed: tuple[type[BaseException], ...] = field(default=())
    """Errors that are documented."""


def _check(contracts: Callable[[], tuple[Any, ...]]) -> Callable[[str, Path], None]:
    def check(text: str, _folder: Path) -> None:
        from pytest_planguard import validation_feedback
        from pytest_planguard.report.finding_text import render_verdict

        for contract in contracts():
            verdict = contract.check(text)
            validation_feedback(verdict)
            render_verdict(verdict)
            del verdict  # its data would count as memory of the next one

    return check


@cache
def _contracts() -> tuple[Any, ...]:
    from pydantic import Field

    from pytest_planguard import ContentConstraint, Contract, distinct

    class Ticket(BaseModel):
        title: str = Field(min_length=3)
        priority: Literal["low", "high"]
        steps: list[str] = Field(min_length=1, max_length=4)
        size: int = Field(gt=0)

    schema = {
        "type": "object",
        "required": ["title"],
        "properties": {
            "title": {"type": "string", "pattern": "^[A-Z]"},
            "size": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        },
    }
    constraints = [distinct("steps"), ContentConstraint("title", "min_length", {"chars": 3}, "retry")]
    return (
        Contract(Ticket, constraints=constraints),
        Contract(Ticket, extract="whole", format="yaml", name="yaml"),
        Contract(schema, name="schema"),
        Contract(None, format="markdown", name="markdown"),
    )


class _Node(BaseModel):
    kind: Literal["group"]
    child: _Node | _Leaf | str


class _Leaf(BaseModel):
    kind: Literal["optional"]
    child: _Node | _Leaf | str


@cache
def _unions() -> tuple[Any, ...]:
    """Return contracts of a recursive union, as a model and as a schema, and of a list of one of 2,000 words."""
    from pytest_planguard import Contract

    node = union("anyOf", 3)
    nodes = [{"type": "array", "items": {"$ref": "#/$defs/n"}}, *node["$defs"]["n"]["anyOf"]]
    return (
        Contract(list[_Node | _Leaf] | _Node | _Leaf, name="model"),
        Contract({"anyOf": nodes, "$defs": node["$defs"]}, name="schema"),
        Contract({"type": "array", "items": {"enum": [f"k{number}" for number in range(2_000)]}}, name="words"),
    )


def _judge(text: str, _folder: Path) -> None:
    from pytest_planguard.retry.judging.judge import judge
    from pytest_planguard.wire.decode import decode

    answer, _, feedback = text.partition("\x1e")
    first = {"role": "user", "content": "a ticket as JSON"}
    retry = [first, {"role": "assistant", "content": answer}, {"role": "user", "content": feedback}]
    exchanges = [
        decode(number, _message(json.dumps({"model": "m", "messages": asked})), _message(_said(answer)))
        for number, asked in enumerate(([first], retry), 1)
    ]
    judge(exchanges, [_contracts()[0]])


def _message(body: str, url: str = "https://api.test/v1/chat/completions") -> Any:
    from pytest_planguard.wire.exchange import Message

    headers = {"content-type": "application/json"}
    return Message(headers, body.encode("utf-8", "surrogatepass"), "POST", url)


def _said(answer: str) -> str:
    choice = {"index": 0, "message": {"role": "assistant", "content": answer}, "finish_reason": "stop"}
    return json.dumps({"id": "c", "object": "chat.completion", "model": "m", "choices": [choice]})


def _decode(text: str, _folder: Path) -> None:
    from pytest_planguard.wire.decode import decode

    url, _, bodies = text.partition("\x1e")
    asked, _, answered = bodies.partition("\x1e")
    decode(1, _message(asked, url), _message(answered, url))


def _exchange_seeds() -> list[str]:
    from pytest_planguard.replay.files.reader import find_cassettes, read_cassette

    seeds = []
    for path in list(find_cassettes([ROOT / "cassettes" / "frameworks"]))[::5]:
        with suppress(PlanguardError):
            for one in read_cassette(path).interactions[:2]:
                bodies = (one.request.body.decode("latin-1"), one.response.body.decode("latin-1"))
                seeds.append("\x1e".join((one.request.url, *bodies)))
    return seeds


def _recording(text: str, folder: Path) -> None:
    from pytest_planguard.replay.files.reader import read_cassette

    path = _put(folder, "a.yaml", text)
    for exchange in read_cassette(path).exchanges:
        assert exchange.number


def _redact(text: str, folder: Path) -> None:
    from pytest_planguard.replay.files.cassette_text import render
    from pytest_planguard.replay.files.interaction import Interaction
    from pytest_planguard.replay.files.reader import read_cassette
    from pytest_planguard.replay.privacy.redact import redact
    from pytest_planguard.replay.privacy.redaction_rules import Redaction

    url, _, bodies = text.encode("utf-8", "replace").decode().partition("\x1e")
    asked, _, answered = bodies.partition("\x1e")
    url = "".join(char for char in url if char.isprintable()) or "https://a.test/"
    headers = (("content-type", ("application/json",)),)
    raw = Interaction("POST", url, headers, asked.encode(), 200, "OK", headers, answered.encode())
    cleaned = redact(raw, Redaction()).interaction
    again = redact(cleaned, Redaction()).interaction
    assert again == cleaned, "redacted twice is redacted once"
    path = folder / "a.yaml"
    path.write_text(render([cleaned]), encoding="utf-8", newline="\n")
    body = read_cassette(path).interactions[0].request.body
    assert body == cleaned.request_body or _values(body) == _values(cleaned.request_body)


def _values(body: bytes) -> list[Any]:
    r"""Return the JSON value of a body, or of each event of a stream: `data: "\x7f"` may be written as `"\u007f"`."""
    try:
        return [_value(body)]
    except ValueError:
        return [_value_of_event(line) for line in body.split(b"\n")]


def _value_of_event(line: bytes) -> Any:
    with suppress(ValueError):
        return _value(line.removeprefix(b"data:"))
    return line


def _value(text: bytes) -> Any:
    """Return the JSON value, of which numbers are texts: NaN equals itself."""
    return json.loads(text, parse_constant=str, parse_float=str, parse_int=str)


def _journal(text: str, folder: Path) -> None:
    from pytest_planguard.replay.files.cassette_journal import recover

    recover(folder / "a.yaml", _put(folder, "a.yaml.part", text))


def _tape(text: str, _folder: Path) -> None:
    from pytest_planguard.plan_search.call_tape import CallTape

    data = json.loads(text)
    if isinstance(data, dict):
        CallTape.read(data)


def _rows(text: str, folder: Path) -> None:
    from pytest_planguard.report.forms import draw
    from pytest_planguard.report.pages.run import run_page
    from pytest_planguard.runs.figures import figures_of_run
    from pytest_planguard.runs.load.load import load_run

    run = load_run(str(_put(folder, "run.jsonl", text)))
    draw(run_page(run, figures_of_run(run)), "text")


def _baseline(text: str, folder: Path) -> None:
    from pytest_planguard.runs.gate.known_failures import read_baseline

    read_baseline(_put(folder, "baseline.json", text))


def _plan(suffix: str) -> Callable[[str, Path], None]:
    def read(text: str, _folder: Path) -> None:
        from pytest_planguard.plans.judging.policy import PlanPolicy

        PlanPolicy().judge({f"plan{suffix}": text})

    return read


def _stream(text: str, _folder: Path) -> None:
    from pytest_planguard.pipeline.json_prefix import JsonPrefix

    for size in (1, 7):
        prefix = JsonPrefix()
        for at in range(0, min(len(text), 2_000), size):
            prefix.feed(text[at : at + size])
            prefix.completion(text[: at + size])


def _command(*arguments: str, file: str = "a.yaml") -> Callable[[str, Path], None]:
    def call(text: str, folder: Path) -> None:
        from click.testing import CliRunner

        from pytest_planguard.cli.main import planguard

        path = _put(folder, file, text)
        ended = CliRunner().invoke(planguard, [one.replace("FILE", str(path)) for one in arguments])
        assert ended.exit_code in (0, 1, 2, 3), ended.exit_code
        assert "is a defect of planguard" not in ended.output, ended.output[-400:]
        assert not {char for char in ended.output if ord(char) < 32} - set("\n\t\r"), "a control character"

    return call


def _put(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    return path


def _files(folder: Path, *suffixes: str, limit: int = 30_000) -> Callable[[], list[str]]:
    def read() -> list[str]:
        files = sorted(file for file in folder.rglob("*") if file.suffix in suffixes)
        step = max(1, len(files) // 40)
        found = [text for file in files[::step] if len(text := file.read_text("utf-8", "replace")) < limit]
        return found or [TICKET]

    return read


def _row_seeds() -> list[str]:
    from pytest_planguard.runs.model.judged_answers import AttemptRow, CheckRow, Judged
    from pytest_planguard.runs.model.run import CaseRow, Run, RunHeader
    from tests.support.runs import run_lines

    bad = AttemptRow(TICKET, ok=False, kind="content", input_tokens=3, output_tokens=4, latency_s=0.5)
    good = AttemptRow(TICKET, ok=True, latency_s=0.25)
    judged = Judged((bad, good), "converged", ok=True, checks=(CheckRow("valid", "pass"),))
    rows = tuple(CaseRow(key, f"test_x.py::{key}", judged=(judged,)) for key in ("a", "b"))
    return ["".join(run_lines(Run(RunHeader("main"), rows)))]


def _tape_seeds() -> list[str]:
    from pytest_planguard.plan_search.call_tape import VERSION

    call = {"step": "a", "prefix": "p", "feedback": "", "index": 0, "answer": "b"}
    return [json.dumps({"version": VERSION, "steps": ["a", "b"], "feedback": True, "calls": [call, call]})]


def _baseline_seeds() -> list[str]:
    from pytest_planguard.runs.gate.known_failures import Baseline, KnownFailure, baseline_text

    entries = (KnownFailure("a", "enum", ("x",), "2026-11-01", expires="2027-01-01"), KnownFailure("b", "missing"))
    return [baseline_text(Baseline(entries))]


def _answers() -> list[str]:
    return [
        TICKET,
        f"```json\n{TICKET}\n```",
        "title: Printer\npriority: high\nsteps:\n  - a\nsize: 3\n",
        "# T\n\n- [ ] a\n",
        f"<think>x</think>{TICKET}",
    ]


def _conversations() -> list[str]:
    said = [
        "steps: Input should be a valid list",
        "1 validation error for Ticket\ntitle\n  Field required [type=missing]",
        "- /size: must be > 0",
    ]
    return [f"{answer}\x1e{words}" for answer in _answers() for words in said]


def _cassettes() -> list[str]:
    """Return cassettes in YAML and, since more of what is changed there stays readable, in JSON."""
    from pytest_planguard.replay.files.safe_yaml import load_plain

    texts = _files(ROOT / "cassettes", ".yaml")()
    return [*texts, *(json.dumps(load_plain(text), default=str) for text in texts)]


_DOCUMENTS = _files(FIXTURES / "plans", ".json", ".yaml")


def targets() -> Iterator[Target]:
    """Yield every entry."""
    yield Target("check", _check(_contracts), _answers)
    yield Target("check-unions", _check(_unions), _answers)
    yield Target("judge", _judge, _conversations)
    yield Target("decode", _decode, _exchange_seeds)
    yield Target("cassette", _recording, _cassettes, (CassetteError,))
    yield Target("redact", _redact, _exchange_seeds)
    yield Target("journal", _journal, _cassettes, (CassetteError,))
    yield Target("tape", _tape, _tape_seeds, (PlanguardError, ValueError))
    yield Target("rows", _rows, _row_seeds, (RunError, PlanguardError))
    yield Target("baseline", _baseline, _baseline_seeds, (RunError,))
    yield Target("plan-md", _plan(".md"), _files(FIXTURES / "plans", ".md"))
    yield Target("plan-json", _plan(".json"), _files(FIXTURES / "plans", ".json"))
    yield Target("plan-yaml", _plan(".yaml"), _files(FIXTURES / "plans", ".yaml"))
    yield Target("stream", _stream, _answers)
    yield Target("cli-check", _command("check", "FILE"), _cassettes)
    yield Target("cli-show", _command("show", "FILE"), _cassettes)
    yield Target("cli-check-plan", _command("check", "FILE", file="plan.json"), _DOCUMENTS)
    yield Target("cli-report", _command("report", "FILE", file="run.jsonl"), _row_seeds)
    yield Target("cli-diff", _command("diff", "FILE", "FILE", file="run.jsonl"), _row_seeds)
    yield Target("cli-diff-json", _command("diff", "FILE", "FILE", "--format", "json", file="run.jsonl"), _row_seeds)
    yield Target("cli-lint", _command("lint", "FILE", file="prompt.md"), _files(ROOT / "docs", ".md"))
    yield Target("cli-recover", _command("cassette", "recover", "FILE", file="a.yaml.part"), _cassettes)
