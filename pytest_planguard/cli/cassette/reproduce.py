"""`planguard cassette reproduce`: turn logged conversations into cassettes with tests that fail in the same way."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...errors import CassetteError, UsageError
from ...printable import one_line
from ...replay.files.cassette_text import render
from ...replay.files.interaction import Interaction, collect
from ...replay.privacy.redact import redact
from ...retry.judging.judge import judge
from ...retry.linking.sameness import last_user
from ...runs.logs.grouping import parts_of
from ...runs.logs.records import read_records
from ...runs.logs.summary import LogSummary
from ...runs.store.project_files import write_whole
from ...wire.logs.calls import calls_of
from ...wire.logs.logged import Fidelity, Logged
from ..commands import CONTRACT, EXTENSIONS, MAX_ATTEMPTS, epilog
from ..inputs.sources import ExistingPath
from ..output import say

if TYPE_CHECKING:
    from ...replay.privacy.redact import SecretFound
    from ...replay.privacy.redaction_rules import Redaction
    from ...retry.results import Convergence
    from ...runs.logs.grouping import Grouping
    from ...runs.logs.judging import LogJudge
    from ...wire.logs.calls import Call
    from ..check.log_options import NamedJudge


EXAMPLES = """
  planguard cassette reproduce traces.jsonl --trace 4bf92f3577b3 -c app:TICKET --call app:create_ticket -o tests/logs
  planguard cassette reproduce traces/ --worst 3 -c app:TICKET
  planguard cassette reproduce traces/ --one-of-each -c app:TICKET
"""
EXIT_CODES = {
    0: "the conversations were written",
    1: "nothing was written: they hold secrets, whose places are listed",
    2: "the command itself is wrong, or the logs have no such conversation",
}
FOUND = 1_000
"""Maximum number of bad conversations from which the worst, or one of each kind, are chosen."""


@click.command(epilog=epilog(EXAMPLES, EXIT_CODES))
@click.argument("paths", metavar="LOG…", nargs=-1, required=True, type=ExistingPath(patterns=True))
@CONTRACT
@click.option("--trace", "traces", multiple=True, metavar="ID", help="The group of a conversation; may be repeated.")
@click.option("--worst", type=click.IntRange(1), metavar="N", help="The N conversations with the most lost findings.")
@click.option("--one-of-each", is_flag=True, help="One conversation for each set of broken rules.")
@click.option("--call", metavar="app:FUNCTION", help="The function that the test calls with the task's text.")
@click.option(
    "-o",
    "folder",
    default="tests/regressions",
    show_default=True,
    metavar="FOLDER",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for the files.",
)
@click.option("--group-by", default="trace", show_default=True, metavar="NAME", help="As for planguard check.")
@click.option("--redact", "words", multiple=True, metavar="WORD", help="A name or a /pattern/ to redact.")
@click.option("--redacted", is_flag=True, help="Write even if secrets are found, and replace them.")
@MAX_ATTEMPTS
@EXTENSIONS
def reproduce(
    paths: tuple[Path, ...],
    specs: tuple[str, ...],
    traces: tuple[str, ...],
    worst: int | None,
    one_of_each: bool,
    call: str | None,
    folder: Path,
    group_by: str,
    words: tuple[str, ...],
    redacted: bool,
    max_attempts: int,
    extensions: tuple[str, ...],
) -> None:
    """Turn conversations in logs into recordings and failing tests.

    Recordings are plain vcrpy files; a response header names the log and says how much of the traffic it kept. Nothing
    is written while a secret is found; --redacted removes it.
    """
    from ...replay.privacy.redaction_rules import own_redaction
    from ...runs.logs.grouping import Grouping, checked_key
    from ..check.log_options import NamedJudge
    from ..inputs.sources import find_sources

    if len(specs) != 1:
        raise UsageError("name the one contract that judges with --contract module:NAME")
    asked = {"--trace": traces, "--worst": worst, "--one-of-each": one_of_each}
    given = [name for name, value in asked.items() if value]
    if len(given) != 1:
        got = " and ".join(given) or "none of them"
        raise UsageError(f"say which conversations with one of --trace ID, --worst N and --one-of-each: got {got}")
    grouping = Grouping(checked_key(group_by))
    make = NamedJudge(specs, None, {"max_attempts": max_attempts}, extensions, "bad", FOUND)
    files = tuple(source.path for source in find_sources(paths))
    keys = list(traces) or _chosen(files, make, grouping, worst)
    found = reproduced(files, keys, make(), grouping, own_redaction(words))
    secrets = [f"{one.key}: {secret}" for one in found for secret in one.secrets]
    if secrets and not redacted:
        say("\n".join(["Nothing was written: these places hold secrets.", *secrets]))
        say("Redact the copies with --redacted, or remove the secrets from the log.")
        raise SystemExit(1)
    kept = []
    for one in found:
        try:
            _write(one, folder, specs[0], call)
        except UsageError as error:  # an edited test is no reason to leave out the next conversation
            kept.append(str(error))
    if kept:
        raise UsageError("\n".join(kept))


def _chosen(files: tuple[Path, ...], make: NamedJudge, grouping: Grouping, worst: int | None) -> list[str]:
    """Return the groups of the worst conversations, or one for each set of broken rules. Raises UsageError."""
    from ...runs.logs.engine import LogJob, judge_files
    from ...runs.model.broken_rules import broken_rules
    from ...runs.model.codec import read_row
    from ...runs.model.run import CaseRow

    rows = [read_row(CaseRow, one.row) for one in judge_files(LogJob(files, make, grouping)).listed]
    if not rows:
        raise UsageError("no conversation in the logs is bad; there is nothing to reproduce")
    if worst is not None:
        return list(dict.fromkeys(row.judged[0].name for row in rows))[:worst]
    each: dict[object, str] = {}
    for row in rows:
        each.setdefault(broken_rules([row]), row.judged[0].name)
    return list(dict.fromkeys(each.values()))


def _write(one: Reproduced, folder: Path, contract: str, call: str | None) -> None:
    files = written(one, folder, contract, call)
    say(f"{one_line(one.key, 100)}: {', '.join(map(str, files))}")
    say(f"  {advice(one)}")
    say(f"  invented: {', '.join(one.invented)}; read as {one.fidelity.value}")
    if call is None:
        say(text_of_test(one, contract, None))


SOURCE_HEADER = "x-planguard-source"
"""Response header of a cassette made from a log: its source, and how close it is to the original traffic."""
_PLACE = re.compile(r"; fidelity=")
"""The end of a place in that header: "logs/a.jsonl:12; fidelity=wire; trace=4bf9"."""
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
    exchanges = [replace(call.exchange, number=at) for at, call in enumerate(calls, 1)]
    found = judge(exchanges, judge_with.contracts, options=judge_with.options).conversations
    if not found:
        raise UsageError(f"the calls of {key!r} cannot be judged: their content is not in the logs")
    convergence = next((one for one in found if not one.ok), found[0])
    numbers = sorted({e.number for attempt in convergence.attempts for e in (attempt.exchange, *attempt.steps)})
    used = [calls[number - 1] for number in numbers]
    redacted = [redact(_interaction(call, key), redaction) for call in used]
    task = last_user(convergence.attempts[0].exchange)
    return Reproduced(
        (f"log_{re.sub(r'[^a-z0-9]+', '_', key.lower())[:40].strip('_') or 'conversation'}"),
        key,
        convergence,
        tuple(one.interaction for one in redacted),
        tuple(dict.fromkeys(secret for one in redacted for secret in one.secrets)),
        used[0].logged.place,
        max((call.logged.fidelity for call in used), key=list(Fidelity).index),
        task.text if task is not None else "",
    )


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
    """Write the cassette, and the test that calls the app, or else a line of cases. Return the files.

    Raises:
        UsageError: a file is there with other content, such as an edited test or a newer recording.
    """
    cassette = folder / "cassettes" / f"{one.name}.yaml"
    texts = {cassette: render(one.interactions)}
    same = {cassette: _with_places_of(cassette, one.interactions)}
    if call is not None:
        test = folder / f"test_{one.name}.py"
        texts[test] = text_of_test(one, contract, call)
        same[test] = _with_first_line_of(test, texts[test])
    for path in texts:
        if path.exists() and path.read_bytes() != same[path].encode():
            raise UsageError(f"{path} was kept: it has other content. Delete it, or name another folder with -o")
    files = tuple(write_whole(path, [text], "the recording or test") for path, text in texts.items())
    if call is not None:
        return files
    cases = folder / "cases.jsonl"
    kept = cases.read_text(encoding="utf-8") if cases.is_file() else ""
    line = json.dumps({"name": one.name, "input": one.task, "source": f"{one.place} {one.key}"})
    there = line.partition(', "source": ')[0] in kept
    return *files, write_whole(cases, [kept, "" if there else f"{line}\n"], "the cases")


def _with_places_of(cassette: Path, interactions: Sequence[Interaction]) -> str:
    """Return what an unedited cassette has: these interactions with its own places, as the log may have moved since."""
    from ...replay.files.reader import read_cassette

    try:
        kept = read_cassette(cassette).interactions if cassette.is_file() else ()
    except CassetteError:  # edited, or not ours
        kept = ()
    if len(kept) != len(interactions):
        return render(interactions)
    places = [_PLACE.split(raw.response.headers.get(SOURCE_HEADER, ""))[0] for raw in kept]
    return render([_at(one, place) for one, place in zip(interactions, places, strict=True)])


def _at(interaction: Interaction, place: str) -> Interaction:
    headers = tuple(
        (name, (place + value[len(_PLACE.split(value)[0]) :],)) if name == SOURCE_HEADER else (name, (value, *more))
        for name, (value, *more) in interaction.response_headers
    )
    return replace(interaction, response_headers=headers)


def _with_first_line_of(test: Path, text: str) -> str:
    """Return what an unedited test has: this text, with the place of the log in its own first line."""
    first, _, rest = text.partition("\n")
    kept = test.read_bytes().decode(errors="replace").partition("\n")[0] if test.is_file() else first
    begins, ends = first.partition(": ")[0], first.rpartition(", ")[2]
    same = kept.startswith(f"{begins}: ") and kept.endswith(f", {ends}")
    return f"{kept if same else first}\n{rest}"


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
