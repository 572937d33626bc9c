"""`planguard cassette`: commands that work on cassettes, such as `secrets`, which lists what redaction would remove."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Literal

import click

from ...errors import CassetteError
from ...printable import one_line
from ...replay.files.interaction import Interaction
from ...replay.files.reader import Cassette, RawInteraction
from ...replay.privacy.redact import redact
from ...replay.privacy.redaction import Redaction
from ...report.escaping import without_log_commands
from ...report.finding_text import count
from ..framework.lazy_group import LazyGroup
from ..framework.output import say
from ..framework.shared_options import epilog, format_option
from ..inputs.paths import ExistingPath
from ..inputs.progress import with_progress
from ..main import UNJUDGED

COMMANDS = {
    "recover": ("cassette.recover:recover", "Turn an interrupted recording into a cassette."),
    "reproduce": ("cassette.reproduce:reproduce", "Turn a logged conversation into a recording and a failing test."),
    "restore": ("cassette.recover:restore", "Restore a cassette that a newer recording has replaced."),
    "secrets": ("cassette.cassette_command:secrets", "List what redaction would remove from cassettes."),
    "serve": ("cassette.serve:serve", "Answer requests of any client from cassettes, on the loopback address."),
}
EXAMPLES = """
  planguard cassette secrets cassettes/                    what redaction would remove
  planguard cassette secrets cassettes/ --redact tenant_id
"""
EXIT_CODES = {
    0: "no secret is recorded",
    1: "a secret is recorded",
    2: "the command itself is wrong",
    3: "a cassette could not be read, or there is none",
}


@click.group(cls=LazyGroup, table=COMMANDS)
def cassette() -> None:
    """Serve, recover or restore cassettes, search them for secrets, or make them from logs."""


@click.command(epilog=epilog(EXAMPLES, EXIT_CODES))
@click.argument("paths", nargs=-1, required=True, metavar="PATH…", type=ExistingPath(allow_dash=True))
@click.option(
    "--redact",
    "words",
    multiple=True,
    metavar="WORD",
    help="A name or a /pattern/ of your own, as in planguard_redact. May be given more than once.",
)
@format_option(("text", "json"))
def secrets(paths: tuple[Path, ...], words: tuple[str, ...], output: Literal["text", "json"]) -> None:
    """List what redaction would remove from cassettes, by place and kind. Nothing is written."""
    text, code = check_secrets(paths, words, output)
    say(text)
    raise SystemExit(code)


Found = list[tuple[Path, "tuple[RecordedSecret, ...] | str"]]
"""Each cassette with its secrets, or with the reason why it is unreadable."""


def check_secrets(paths: Sequence[Path], words: Sequence[str], output: Literal["text", "json"]) -> tuple[str, int]:
    """Return the report on the cassettes below some paths, and the exit code.

    Args:
        paths: cassettes, and folders with cassettes.
        words: the project's own names and patterns, as in `planguard_redact`.
        output: the form of the report.

    Raises:
        CassetteError: there is no cassette.
        UsageError: a pattern is not a valid regular expression.
    """
    from ...replay.files.reader import find_cassettes
    from ...replay.privacy.redaction import own_redaction

    redaction = own_redaction(words)
    files = list(find_cassettes(paths))
    if not files:
        raise CassetteError(f"{', '.join(map(str, paths))}: no cassette; name a cassette, or a folder that has some")
    every: Found = [(file, _of(file, paths, redaction)) for file in with_progress(files, "looking for secrets")]
    text = _as_json(every) if output == "json" else _as_text(every)
    bad = any(found and not isinstance(found, str) for _, found in every)
    return text, 1 if bad else UNJUDGED if any(isinstance(found, str) for _, found in every) else 0


def _of(file: Path, paths: Sequence[Path], redaction: Redaction) -> tuple[RecordedSecret, ...] | str:
    from ...replay.files.names import leads_out
    from ...replay.files.reader import read_cassette

    folder = None if file in paths else next((path for path in paths if path in file.parents), None)
    if folder and file.is_symlink() and leads_out(file, folder):
        return f"{file}: is a link out of {folder}; name it to read it"
    try:
        return secrets_of(read_cassette(file), redaction)
    except CassetteError as error:
        return str(error)


def _as_text(every: Found) -> str:
    lines = []
    for file, found in every:
        if isinstance(found, str):
            lines.append(f"error: {one_line(found, 600)}")
        else:
            lines += [f"{one_line(str(file))}: {one_line(str(secret), 300)}" for secret in found]
    holding = [found for _, found in every if not isinstance(found, str) and found]
    secrets = count(sum(map(len, holding)), "secret")
    unread = sum(isinstance(found, str) for _, found in every)
    among = f"{count(len(every), 'cassette')}, {unread} of them not read" if unread else count(len(every), "cassette")
    if holding:
        lines.append(f"{among}: {secrets} in {len(holding)}")
    elif unread < len(every):
        lines.append(f"{among}: no secret in the others" if unread else f"{among}: no secret")
    else:
        lines.append(f"{among}")
    if holding:
        lines.append("A new recording would hold [redacted] in these places and leave out such headers.")
    return "\n".join(lines)


def _as_json(every: Found) -> str:
    files = [
        {"path": str(file), "error": found, "secrets": []}
        if isinstance(found, str)
        else {"path": str(file), "error": None, "secrets": [asdict(secret) for secret in found]}
        for file, found in every
    ]
    return without_log_commands(json.dumps({"files": files}, indent=2))


@dataclass(frozen=True, slots=True)
class RecordedSecret:
    """A secret in a cassette."""

    exchange: int
    """The number of its exchange, starting at 1."""
    place: str
    """Its place, for example "request header x-api-key"."""
    kind: str
    """Its kind, for example "GitHub token"."""

    def __str__(self) -> str:
        return f"exchange {self.exchange}: {self.place}: {self.kind}"


def secrets_of(cassette: Cassette, redaction: Redaction | None = None) -> tuple[RecordedSecret, ...]:
    """Return the secrets that would be removed if the cassette were made now, in the order of its exchanges.

    Headers that are left out entirely count ("a header that is not recorded"), and so do URL parameters.
    """
    rules = redaction or Redaction()
    return tuple(
        secret
        for number, raw in enumerate(cassette.interactions, 1)
        for secret in _of_interaction(number, _unpacked(raw), rules)
    )


def _unpacked(raw: RawInteraction) -> Interaction:
    return replace(raw.as_recorded, request_body=raw.request.body, response_body=raw.response.body)


def _of_interaction(number: int, interaction: Interaction, redaction: Redaction) -> Iterator[RecordedSecret]:
    for name, _values in interaction.request_headers:
        if redaction.hides_header(name) and not redaction.keeps_header(name):
            yield RecordedSecret(number, f"request header {name.lower()}", "a header that is not recorded")
    redacted = redact(interaction, redaction)
    noted = {secret.place for secret in redacted.secrets}
    for place in _addresses(interaction, redacted.interaction):
        if place not in noted:
            yield RecordedSecret(number, place, "a parameter of an address")
    for secret in redacted.secrets:
        yield RecordedSecret(number, secret.place, secret.kind)


def _addresses(before: Interaction, after: Interaction) -> Iterator[str]:
    """Yield the places of URLs and headers that redaction changed. Secrets are expected there, and not reported."""
    if before.url != after.url:
        yield "request url"
    for side, old, new in (
        ("request", before.request_headers, dict(after.request_headers)),
        ("response", before.response_headers, dict(after.response_headers)),
    ):
        yield from (f"{side} header {name.lower()}" for name, values in old if new.get(name, values) != values)
