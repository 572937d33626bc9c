"""`planguard cassette serve`: answer any client, in any language, from cassettes, on 127.0.0.1."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...errors import UsageError
from ...runs.load.contracts import load_contracts, load_extensions
from ..commands import CONTRACT, EXTENSIONS, epilog
from ..output import say

if TYPE_CHECKING:
    from ...contract import Contract
    from ...replay.matching.refusal import MatchMode
    from ...replay.session.session import CassetteSession

EXAMPLES = """
  planguard cassette serve cassettes/test_app/default/test_a.yaml      one cassette
  planguard cassette serve a.yaml b.yaml --port 8123                   several, on a port of your own
  planguard cassette serve new.yaml --record                           forward to the real endpoint, and record
"""
EXIT_CODES = {
    0: "every request got an answer",
    1: "a request got none",
    2: "the command itself is wrong",
    3: "a cassette cannot be read or written",
}


@click.command(epilog=epilog(EXAMPLES, EXIT_CODES))
@click.argument(
    "cassettes", metavar="CASSETTE…", nargs=-1, required=True, type=click.Path(path_type=Path, dir_okay=False)
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, metavar="N", help="Port to listen on.  [default: a free one]"
)
@click.option(
    "--match",
    type=click.Choice(["gated", "strict", "ordered", "lenient"]),
    default="gated",
    show_default=True,
    help="How a request finds its recorded answer.",
)
@click.option("--record", is_flag=True, help="Forward each request and record it into CASSETTE, a new file.")
@click.option(
    "--variable",
    "variables",
    multiple=True,
    metavar="NAME=URL",
    help="A further variable and its upstream. May be given more than once.",
)
@CONTRACT
@EXTENSIONS
@click.pass_context
def serve(
    ctx: click.Context,
    cassettes: tuple[Path, ...],
    port: int,
    match: MatchMode,
    record: bool,
    variables: tuple[str, ...],
    specs: tuple[str, ...],
    extensions: tuple[str, ...],
) -> None:
    """Answer requests of any client on 127.0.0.1 from cassettes, as in a gated replay, until Ctrl-C.

    Prints the base-URL variables for a shell. A request without an answer gets status 424, and is printed to stderr.
    """
    from ...replay.endpoint_server import Endpoint, EndpointServer
    from ...replay.session.session import finishing

    load_extensions(extensions)
    session = _session(cassettes, match, load_contracts(specs), record=record)
    try:
        server = EndpointServer(port)
    except OSError as error:
        raise UsageError(f"--port {port}: {error.strerror or error}; leave it out to take a free one") from None
    endpoint = Endpoint(lambda: server, variables)
    with finishing(session):
        if record:
            session.start_recording()
        ended = _told_to_end()  # before anyone can know the address, since a program may finish with it at once
        given = endpoint.environment(endpoint.open(session), os.environ)
        for name in sorted(name for name in given if "PROXY" not in name.upper()):
            say(f"export {name}='{given[name]}'")
        _print_misses(session, ended)
        server.stop()
    for secret in session.secrets_found:
        say(f"a secret was kept out of the cassette: {secret}", err=True)
    ctx.exit(int(bool(session.misses or session.secrets_found)))


def _session(
    cassettes: Sequence[Path], match: MatchMode, contracts: tuple[Contract, ...], *, record: bool
) -> CassetteSession:
    """Return a session over all cassettes. Raises UsageError and CassetteError."""
    from ...replay.files.reader import read_cassette
    from ...replay.network.guard import NetworkGuard
    from ...replay.session.playback import CassetteSettings
    from ...replay.session.session import CassetteSession

    first = cassettes[0]
    if record and (len(cassettes) > 1 or first.exists()):
        raise UsageError(f"--record: got {', '.join(map(str, cassettes))}; name one file that does not exist yet")
    missing = [path for path in cassettes if not path.exists()]
    if missing and not record:
        raise UsageError(f"{missing[0]}: there is no such cassette; name one, or add --record to make it")
    interactions = [raw for path in cassettes for raw in read_cassette(path).interactions] if not record else []
    shown = ", ".join(map(str, cassettes))
    command = "planguard cassette serve NEW.yaml --record"
    settings = CassetteSettings(match=match, contracts=contracts, command=command, shown_as=shown)
    return CassetteSession(first, interactions, settings, NetworkGuard())


def _told_to_end() -> threading.Event:
    """Return an event that is set when the process should end, by Ctrl-C or by `kill`."""
    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    return ended


def _print_misses(session: CassetteSession, ended: threading.Event) -> None:
    """Print each request without an answer as it arrives, until the process is asked to end."""
    printed = 0
    while True:
        # A miss is printed within a tenth of a second, and one of the last moment after the end, too.
        last = ended.wait(0.1)
        for miss in session.misses[printed:]:
            say(miss.message, err=True)
            printed += 1
        if last:
            return
