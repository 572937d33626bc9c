"""`planguard cassette recover` and `restore`: bring back a cassette that was interrupted or replaced."""

from __future__ import annotations

from pathlib import Path

import click

from ...errors import CassetteError
from ...printable import one_line
from ...report.finding_text import count
from ..framework.output import say
from ..framework.shared_options import epilog
from ..inputs.paths import ExistingPath

EXAMPLES = """
  planguard cassette recover cassettes/                                             the last .part file of each cassette
  planguard cassette recover cassettes/test_app/default/test_a.yaml.1f0a93c2.part   this one
"""
EXIT_CODES = {
    0: "everything was recovered",
    2: "the command itself is wrong",
    3: "one could not be recovered, or there is none; the others are recovered all the same",
}


@click.command(epilog=epilog(EXAMPLES, EXIT_CODES))
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
    for line in _about(aside):
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


def _about(aside: list[Path]) -> list[str]:
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
    from ...printable import one_line
    from ...replay.files.names import restore as put_back

    for path in paths:
        put_back(path)
        say(f"{one_line(str(path), 300)}: restored; the newer one is kept, the same command brings it back")
