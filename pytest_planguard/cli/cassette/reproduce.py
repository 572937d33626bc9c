"""`planguard cassette reproduce`: turn logged conversations into cassettes with tests that fail in the same way."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...errors import UsageError
from ...printable import one_line
from ..framework.output import say
from ..framework.shared_options import CONTRACT, EXTENSIONS, MAX_ATTEMPTS, epilog
from ..inputs.paths import ExistingPath

if TYPE_CHECKING:
    from ...runs.logs.grouping import Grouping
    from ..check.logs.reproduction import Reproduced
    from ..check.logs.workers import NamedJudge

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
    from ...replay.privacy.redaction import own_redaction
    from ...runs.logs.grouping import Grouping, checked_key
    from ..check.logs.reproduction import reproduced
    from ..check.logs.workers import NamedJudge
    from ..inputs.sources import find_sources

    if len(specs) != 1:
        raise UsageError("name the one contract that judges with --contract module:NAME")
    if sum(map(bool, (traces, worst, one_of_each))) != 1:
        raise UsageError("say which conversations: --trace ID, --worst N or --one-of-each")
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
    for one in found:
        _write(one, folder, specs[0], call)


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
    from ..check.logs.reproduction import advice, text_of_test, written

    files = written(one, folder, contract, call)
    say(f"{one_line(one.key, 100)}: {', '.join(map(str, files))}")
    say(f"  {advice(one)}")
    say(f"  invented: {', '.join(one.invented)}; read as {one.fidelity.value}")
    if call is None:
        say(text_of_test(one, contract, None))
