"""`planguard cassette restore`: the cassette that a newer one has replaced, back in its place."""

from __future__ import annotations

from pathlib import Path

import click

from ..output import say
from ..shared_options import epilog

EXAMPLES = """
  planguard cassette restore cassettes/test_app/default/test_ticket-1a2b3c4d.yaml
"""
EXIT_CODES = {
    0: "every cassette was restored",
    2: "the command itself is wrong",
    3: "one has nothing to restore, or cannot be written; those before it are restored",
}


@click.command(epilog=epilog(EXAMPLES, EXIT_CODES))
@click.argument("paths", metavar="CASSETTE…", nargs=-1, required=True, type=click.Path(dir_okay=False, path_type=Path))
def restore(paths: tuple[Path, ...]) -> None:
    """Put back the cassette that a newer one has replaced.

    Both change places: the same command once more undoes it. The last few cassettes that were replaced are kept in
    .planguard/replaced/ of the tests' root folder.
    """
    from ...replay.files.replaced import restore as put_back
    from ...report.media.sanitise import one_line

    for path in paths:
        put_back(path)
        say(f"{one_line(str(path), 300)}: restored; the newer one is kept, the same command brings it back")
