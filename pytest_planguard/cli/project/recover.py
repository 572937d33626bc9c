"""`planguard recover`: a recording made of the whole exchanges that an interrupted one left in its `.part` file."""

from __future__ import annotations

from pathlib import Path

import click

from ...errors import CassetteError
from ...report.answer.finding_text import count
from ...report.media.sanitise import one_line
from ..inputs.paths import ExistingPath
from ..shared_options import epilog

EXAMPLES = """
  planguard recover cassettes/                                      every .part file below it
  planguard recover cassettes/test_app/default/test_a.yaml.part     one of them
  planguard recover cassettes/test_app/default/test_a.yaml.part.1   one of an earlier interruption
"""
EXIT_CODES = {
    0: "everything was recovered",
    2: "the command itself is wrong",
    3: "one could not be recovered, or there is none; the others are recovered all the same",
}


@click.command(epilog=epilog(EXAMPLES, EXIT_CODES))
@click.argument("paths", metavar="PATH…", nargs=-1, required=True, type=ExistingPath())
def recover(paths: tuple[Path, ...]) -> None:
    """Make recordings of .part files: what a killed run had recorded, up to its last whole exchange.

    A PATH is such a file, or a folder with any of them. A finished recording is never overwritten; where there is one,
    the .part file stays as it is. What older interruptions left (.part.1, .part.2, …) is named, and recovered only
    where you name it.
    """
    parts = [part for path in paths for part in _parts(path)]
    aside = sorted({found for path in paths if path.is_dir() for found in path.rglob("*.part.*") if _is_aside(found)})
    refusals = [refusal for part in parts if (refusal := _recovered(part)) is not None]
    for line in _about(aside):
        click.echo(line)
    if not parts and not aside:
        raise CassetteError(f"{', '.join(map(str, paths))}: no .part file; there is nothing to recover")
    if refusals:
        raise CassetteError("\n".join(refusals))
    if not parts:
        raise CassetteError("nothing was recovered: name the file that you want")


def _recovered(part: Path) -> str | None:
    """Recover one and say so; why it cannot be."""
    from ...replay.files.recording_journal import recording_of
    from ...replay.files.recording_journal import recover as recovered

    recording = recording_of(part)
    if recording is None:
        return f"{part}: is no .part file; name the file that an interrupted recording left, or its folder"
    try:
        number = recovered(recording, part)
    except CassetteError as error:
        return str(error)
    click.echo(f"{recording}: {count(number, 'exchange')} recovered")
    return None


def _parts(path: Path) -> list[Path]:
    return sorted(path.rglob("*.part")) if path.is_dir() else [path]


def _is_aside(path: Path) -> bool:
    from ...replay.files.recording_journal import recording_of

    return recording_of(path) is not None and path.is_file()


def _about(aside: list[Path]) -> list[str]:
    """Return what earlier interruptions left: nothing needs it where the test has been recorded since."""
    from ...replay.files.recording_journal import count_exchanges, finished_exchanges

    if not aside:
        return []
    lines = [f"  {one_line(str(p), 300)}: {count(count_exchanges(finished_exchanges(p)), 'exchange')}" for p in aside]
    return [f"left by earlier interruptions ({count(len(aside), 'file')}); recover one by its name, or remove:", *lines]
