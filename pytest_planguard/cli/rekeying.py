"""`planguard show CASSETTE --rekey`: requests whose envelope changed are rewritten, after showing how."""

from __future__ import annotations

from pathlib import Path

import click

from ..report.text import one_line


def rekey_recording(cassette: Path, *, sure: bool) -> None:
    """Tell what would change, ask unless `sure`, and rewrite. Raises CassetteError where more than that changed."""
    from ..errors import CassetteError
    from ..replay.files.reader import read_recording
    from ..replay.refresh.rekey import rekey, rekeyed, write_rekeyed
    from ..replay.refresh.sent_file import read_sent

    sent = read_sent(cassette)
    recorded = read_recording(cassette).interactions
    told = [rekeyed(recorded[one.position - 1].request, one) for one in sent]
    for one in told:
        click.echo(f"request {one.position}{':' if one.changes else ': as recorded'}")
        for change in one.changes:
            click.echo(f"  {one_line(change, 200)}")
    refused = [one.position for one in told if not one.allowed]
    if refused:
        raise CassetteError(
            f"{cassette}: {_asking(refused)} something else now, not only in another envelope; what is recorded is no "
            "answer to that. Record the test again"
        )
    if not any(one.changes for one in told):
        click.echo("nothing to rewrite")
        return
    text = rekey(cassette, sent)
    if sure or _agreed(cassette):
        write_rekeyed(cassette, text)
        click.echo(f"rewritten: {one_line(str(cassette))}")
    else:
        click.echo("nothing was written; --rekey --yes writes")


def _agreed(cassette: Path) -> bool:
    """Ask. Nobody there to answer is a no."""
    try:
        return click.confirm(f"rewrite the requests of {one_line(str(cassette))}? answers stay as they are")
    except click.Abort:
        click.echo()
        return False


def _asking(numbers: list[int]) -> str:
    """'request 2 asks', 'requests 1, 2 ask'."""
    return f"request {numbers[0]} asks" if len(numbers) == 1 else f"requests {', '.join(map(str, numbers))} ask"
