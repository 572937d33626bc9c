"""Turn a logged conversation into files of a test suite: a cassette in plain vcrpy form, and a test for it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ....errors import UsageError
from ....printable import one_line
from ....replay.files.cassette_text import render
from ....replay.files.interaction import Interaction, collect
from ....replay.privacy.redact import redact
from ....retry.judging.judge import judge
from ....retry.linking.sameness import last_user
from ....runs.logs.grouping import parts_of
from ....runs.logs.records import read_records
from ....runs.logs.summary import LogSummary
from ....runs.store.whole_files import write_whole
from ....wire.logs.calls import calls_of
from ....wire.logs.logged import Fidelity, Logged

if TYPE_CHECKING:
    from ....replay.privacy.redact import SecretFound
    from ....replay.privacy.redaction import Redaction
    from ....retry.results import Convergence
    from ....runs.logs.grouping import Grouping
    from ....runs.logs.judging import LogJudge
    from ....wire.exchange import Exchange
    from ....wire.logs.calls import Call

SOURCE_HEADER = "x-planguard-source"
"""Response header of a cassette made from a log: its source, and how close it is to the original traffic."""
ENDPOINTS = {
    "openai.responses": "https://api.openai.com/v1/responses",
    "anthropic.messages": "https://api.anthropic.com/v1/messages",
    "gemini": "https://generativelanguage.googleapis.com/v1beta/models/{model}:generateContent",
    "bedrock.converse": "https://bedrock-runtime.us-east-1.amazonaws.com/model/{model}/converse",
}
CHAT = "https://api.openai.com/v1/chat/completions"
"""The URL of reproduced requests, since logs record none."""


@dataclass(frozen=True, slots=True)
class Reproduced:
    """One conversation that a test can replay."""

    name: str
    """The name of its files: "log_task_1"."""
    key: str
    """Its group in the logs."""
    convergence: Convergence
    interactions: tuple[Interaction, ...]
    """The redacted exchanges."""
    secrets: tuple[SecretFound, ...]
    place: str
    fidelity: Fidelity
    task: str
    """The last message of the first request."""

    @property
    def missing(self) -> bool:
        """True if a retry did not say what was wrong. Fixing the app then makes the test green."""
        return any(check.name == "feedback" and check.status.value == "fail" for check in self.convergence.checks)

    @property
    def invented(self) -> tuple[str, ...]:
        """The parts of the cassette that the log lacks."""
        always = ("headers", "the endpoint")
        return always if self.fidelity is Fidelity.WIRE else (*always, "sampling settings and ids that were not logged")


def reproduced(
    paths: Iterable[Path], keys: Sequence[str], judge_with: LogJudge, grouping: Grouping, redaction: Redaction
) -> list[Reproduced]:
    """Return the bad conversation of each of these groups, else its first one.

    Raises:
        UsageError: a group is not in the logs, or cannot be judged.
    """
    wanted = dict.fromkeys(keys)
    parts: dict[str, list[Logged]] = {key: [] for key in wanted}
    for path in paths:
        for key, logged in parts_of(read_records(path), path.as_posix(), grouping, LogSummary()):
            of = key if key in parts else logged.trace  # the root call of a trace has a different group
            if of in parts:
                parts[of].append(logged)
    return [_reproduced(key, parts[key], judge_with, redaction) for key in wanted]


def _reproduced(key: str, parts: list[Logged], judge_with: LogJudge, redaction: Redaction) -> Reproduced:
    calls = [call for call in calls_of(parts) if call.judgeable]
    if not parts:
        raise UsageError(f"the logs have no calls of {key!r}; `planguard check` prints the names of bad conversations")
    exchanges = [_numbered(call.exchange, at) for at, call in enumerate(calls, 1)]
    found = judge(exchanges, judge_with.contracts, options=judge_with.options).conversations
    if not found:
        raise UsageError(f"the calls of {key!r} cannot be judged: their content is not in the logs")
    convergence = next((one for one in found if not one.ok), found[0])
    numbers = sorted({e.number for attempt in convergence.attempts for e in (attempt.exchange, *attempt.steps)})
    used = [calls[number - 1] for number in numbers]
    redacted = [redact(_interaction(call, key), redaction) for call in used]
    task = last_user(convergence.attempts[0].exchange)
    return Reproduced(
        _name(key),
        key,
        convergence,
        tuple(one.interaction for one in redacted),
        tuple(dict.fromkeys(secret for one in redacted for secret in one.secrets)),
        used[0].logged.place,
        max((call.logged.fidelity for call in used), key=list(Fidelity).index),
        task.text if task is not None else "",
    )


def _numbered(exchange: Exchange, number: int) -> Exchange:
    from dataclasses import replace

    return replace(exchange, number=number)


def _name(key: str) -> str:
    return f"log_{re.sub(r'[^a-z0-9]+', '_', key.lower())[:40].strip('_') or 'conversation'}"


def _interaction(call: Call, key: str) -> Interaction:
    logged = call.logged
    model = call.exchange.model or "model"
    url = logged.url
    if not url.startswith("http") or "//log.invalid" in url:
        url = ENDPOINTS.get(call.exchange.dialect, CHAT).format(model=model)
    source = f"{one_line(logged.place, 200)}; fidelity={logged.fidelity.value}; trace={one_line(key, 100)}"
    plain = source.encode("ascii", "replace").decode()
    sent, came = (
        collect([("content-type", "application/json")]),
        collect([("content-type", "application/json"), (SOURCE_HEADER, plain)]),
    )
    asked, answered = (_body(body) for body in (logged.request, logged.response))
    return Interaction("POST", url, sent, asked, logged.status, "OK", came, answered)


def _body(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode(errors="surrogatepass")


def written(one: Reproduced, folder: Path, contract: str, call: str | None) -> tuple[Path, ...]:
    """Write the cassette, and the test that calls the app, or else a line of cases. Return the files."""
    cassette = write_whole(folder / "cassettes" / f"{one.name}.yaml", [render(one.interactions)], "the recording")
    if call is not None:
        text = text_of_test(one, contract, call)
        return cassette, write_whole(folder / f"test_{one.name}.py", [text], "the test")
    cases = folder / "cases.jsonl"
    kept = cases.read_text(encoding="utf-8") if cases.is_file() else ""
    line = json.dumps({"name": one.name, "input": one.task, "source": f"{one.place} {one.key}"})
    return cassette, write_whole(cases, [kept, "" if line in kept else f"{line}\n"], "the cases")


def text_of_test(one: Reproduced, contract: str, call: str | None) -> str:
    """Return the test. It calls the app and replays the model's answers from production."""
    place, _, name = contract.rpartition(":")
    app, _, function = (call or "app:YOUR_FUNCTION").rpartition(":")
    modules: dict[str, list[str]] = {}
    for module, imported in ((_module(place), name), (_module(app), function.partition(".")[0])):
        modules.setdefault(module, []).append(imported)
    imports = "\n".join(f"from {module} import {', '.join(sorted(set(names)))}" for module, names in modules.items())
    return (
        f'"""A conversation of production: {one_line(one.place, 80)}, read as {one.fidelity.value}."""\n\n'
        f"import pytest\n{imports}\n\n\n"
        f'@pytest.mark.planguard({name}, cassette="cassettes/{one.name}.yaml")\n'
        f"def test_{one.name}():\n"
        f"    {function}({json.dumps(one.task, ensure_ascii=True)})\n"
    )


def _module(place: str) -> str:
    return place.removesuffix(".py").replace("/", ".") if place.endswith(".py") else place


def advice(one: Reproduced) -> str:
    """Return how to make the test green."""
    if one.missing:
        return "a retry did not say what was wrong: let the app pass on the findings, and the test is green"
    if not one.convergence.ok:
        return "the answers are wrong: change prompt or model, and record again with --planguard-record=all"
    return "the conversation is good: the test keeps it so"
