"""`planguard recover`: a recording made of the whole exchanges that an interrupted one left in its `.part` file."""

from __future__ import annotations

from pathlib import Path

import click

from ..errors import CassetteError

EXAMPLES = """
\b
Examples:
  planguard recover cassettes/test_app/default/test_ticket-9ff5aca9.yaml.part
  planguard recover cassettes/
"""


@click.command(epilog=EXAMPLES)
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
def recover(paths: tuple[Path, ...]) -> None:
    """Make recordings of .part files: what a killed run had recorded, up to its last whole exchange.

    A PATH is such a file, or a folder with any of them. A finished recording is never overwritten; where one stands,
    the .part file stays as it is.
    """
    from ..replay.journal import recover as recovered

    parts = [part for path in paths for part in _parts(path)]
    if not parts:
        raise CassetteError(f"{', '.join(map(str, paths))}: no .part file; there is nothing to recover")
    refused = []
    for part in parts:
        recording = part.with_name(part.name.removesuffix(".part"))
        try:
            number = recovered(recording)
        except CassetteError as error:
            refused.append(str(error))
        else:
            click.echo(f"{recording}: {number} {'exchange' if number == 1 else 'exchanges'} recovered")
    if refused:
        raise CassetteError("\n".join(refused))


def _parts(path: Path) -> list[Path]:
    if path.is_dir():
        return sorted(path.rglob("*.part"))
    if path.suffix != ".part":
        raise CassetteError(
            f"{path}: is no .part file; name the file that an interrupted recording left, or its folder"
        )
    return [path]
