"""`planguard cassette`: commands that work on cassettes."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from ..framework.lazy_group import LazyGroup
from ..framework.output import say
from ..framework.shared_options import epilog, format_option
from ..inputs.paths import ExistingPath

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
    from .secrets import check_secrets

    text, code = check_secrets(paths, words, output)
    say(text)
    raise SystemExit(code)
