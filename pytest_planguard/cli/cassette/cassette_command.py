"""`planguard cassette`: list what redaction would remove, and bring back interrupted or replaced cassettes."""

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
from ...replay.privacy.redaction_rules import Redaction
from ...report.plain_text import count, without_log_commands
from ..commands import LazyGroup, epilog, format_option
from ..inputs.sources import ExistingPath
from ..main import UNJUDGED
from ..output import say, with_progress

COMMANDS = {
    "recover": ("cassette.cassette_command:recover", "Turn an interrupted recording into a cassette."),
    "reproduce": ("cassette.reproduce:reproduce", "Turn a logged conversation into a recording and a failing test."),
    "restore": ("cassette.cassette_command:restore", "Restore a cassette that a newer recording has replaced."),
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
    from ...replay.privacy.redaction_rules import own_redaction

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
            header = place.partition("response header ")[2]
            is_hidden = bool(header) and redaction.hides_header(header)
            kind = "the value of this header is not recorded" if is_hidden else "a parameter of an address"
            yield RecordedSecret(number, place, kind)
    for secret in redacted.secrets:
        yield RecordedSecret(number, secret.place, secret.kind)


def _addresses(before: Interaction, after: Interaction) -> Iterator[str]:
    """Yield the places of URLs and headers that redaction changed; it does not note secrets there itself."""
    if before.url != after.url:
        yield "request url"
    for side, old, new in (
        ("request", before.request_headers, dict(after.request_headers)),
        ("response", before.response_headers, dict(after.response_headers)),
    ):
        yield from (f"{side} header {name.lower()}" for name, values in old if new.get(name, values) != values)


RECOVER_EXAMPLES = """
  planguard cassette recover cassettes/                                             the last .part file of each cassette
  planguard cassette recover cassettes/test_app/default/test_a.yaml.1f0a93c2.part   this one
"""
RECOVER_CODES = {
    0: "everything was recovered",
    2: "the command itself is wrong",
    3: "one could not be recovered, or there is none; the others are recovered all the same",
}


@click.command(epilog=epilog(RECOVER_EXAMPLES, RECOVER_CODES))
@click.argument("paths", metavar="PATH…", nargs=-1, required=True, type=ExistingPath())
@click.option(
    "--replace",
    is_flag=True,
    help="Replace a finished cassette with it; planguard cassette restore brings the old one back.",
)
def recover(paths: tuple[Path, ...], replace: bool) -> None:
    """Turn .part files into cassettes: they hold what a killed run had recorded, up to its last whole exchange.

    A PATH is such a file, or a folder with any of them. If there is a finished cassette already, the .part file stays
    as it is, unless you say --replace: `planguard cassette restore` brings the finished one back. Files left by older
    interruptions of the same test are only listed. Name one to recover it.
    """
    parts = [part for path in paths for part in ([path] if not path.is_dir() else _last_parts(path))]
    aside = [part for path in paths if path.is_dir() for part in _older_parts(path)]
    refusals = [refusal for part in parts if (refusal := _recovered(part, replace=replace)) is not None]
    for line in _left_aside(aside):
        say(line)
    if not parts and not aside:
        raise CassetteError(f"{', '.join(map(str, paths))}: no .part file; there is nothing to recover")
    if refusals:
        raise CassetteError("\n".join(refusals))
    if not parts:
        raise CassetteError("nothing was recovered: name the file that you want")


def _recovered(part: Path, *, replace: bool) -> str | None:
    """Recover one cassette and report it, or return why that is not possible."""
    from ...replay.files.cassette_journal import cassette_of
    from ...replay.files.cassette_journal import recover as recovered

    cassette = cassette_of(part)
    if cassette is None:
        return f"{part}: is not a .part file; name the file that an interrupted session left, or its folder"
    try:
        number = recovered(cassette, part, root=_root_of(cassette) if replace else None)
    except CassetteError as error:
        return str(error)
    say(f"{cassette}: {count(number, 'exchange')} recovered")
    return None


def _root_of(cassette: Path) -> Path:
    """Return the folder for replaced cassettes: the working folder, if the cassette is below it."""
    here = Path.cwd()
    return here if cassette.resolve().is_relative_to(here) else cassette.parent


def _last_parts(folder: Path) -> list[Path]:
    """Return the last journal of each cassette below a folder, without the numbered ones of earlier versions."""
    return [parts[0] for parts in _all_parts(folder) if parts[0].suffix == ".part"]


def _older_parts(folder: Path) -> list[Path]:
    return sorted(part for parts in _all_parts(folder) for part in parts[parts[0].suffix == ".part" :])


def _all_parts(folder: Path) -> list[list[Path]]:
    """Return the journals of each cassette below a folder, sorted by recording."""
    from ...replay.files.cassette_journal import cassette_of, journals_of

    files = (file for file in folder.rglob("*.part*") if file.is_file())
    cassettes = sorted({cassette for file in files if (cassette := cassette_of(file)) is not None})
    return [sorted(journals_of(cassette), key=lambda part: part.suffix != ".part") for cassette in cassettes]


def _left_aside(aside: list[Path]) -> list[str]:
    """Return lines that list the files left by earlier interruptions.

    They are useless if the test was recorded since.
    """
    from ...replay.files.cassette_journal import count_exchanges, finished_exchanges

    if not aside:
        return []
    lines = [f"  {one_line(str(p), 300)}: {count(count_exchanges(finished_exchanges(p)), 'exchange')}" for p in aside]
    return [f"left by earlier interruptions ({count(len(aside), 'file')}); recover one by its name, or remove:", *lines]


RESTORE_EXAMPLES = """
  planguard cassette restore cassettes/test_app/default/test_ticket-1a2b3c4d.yaml
"""
RESTORE_CODES = {
    0: "every cassette was restored",
    2: "the command itself is wrong",
    3: "one has nothing to restore, or cannot be written; those before it are restored",
}


@click.command(epilog=epilog(RESTORE_EXAMPLES, RESTORE_CODES))
@click.argument("paths", metavar="CASSETTE…", nargs=-1, required=True, type=click.Path(dir_okay=False, path_type=Path))
def restore(paths: tuple[Path, ...]) -> None:
    """Bring back the cassette that a newer one has replaced.

    The two swap places, so running the same command again undoes it. The last few cassettes that were replaced are kept
    in .planguard/replaced/ of the tests' root folder.
    """
    from ...replay.files.names import restore as put_back

    for path in paths:
        put_back(path)
        say(f"{one_line(str(path), 300)}: restored; the newer one is kept, the same command brings it back")
