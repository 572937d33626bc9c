"""`planguard show`: print the conversations of one cassette for a person, or rewrite its envelopes with `--rekey`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...errors import UsageError
from ...printable import one_line
from ...report.answer.conversation import render_conversation
from ...report.answer.finding_text import count
from ...report.media.text_table import Style
from ...runs.load.contracts import load_contracts
from ..framework.output import agreed, in_color, say
from ..framework.shared_options import CONTRACT, EXTRACT, MAX_ATTEMPTS, epilog, excludes, needs
from ..inputs.paths import ExistingPath
from .transcript import headline, render_exchange

if TYPE_CHECKING:
    from ...document.answer import Extract
    from ...replay.files.reader import Cassette
    from ...report.answer.conversation import Beside
    from ...retry.judging.judge import Judgement
    from ...retry.results import Convergence
    from ...wire.exchange import Exchange
    from ..inputs.kept_proofs import ShownProof

LINES = (".jsonl", ".ndjson")
EXAMPLES = """
  planguard show cassettes/test_app/smollm2-135m/test_ticket.yaml
  planguard show cassette.yaml -c app/contracts.py:TICKET
  planguard show cassette.yaml --whole | less
  planguard show cassettes/test_app/default/test_ticket.yaml --rekey
"""
EXIT_CODES = {
    0: "the cassette was shown; with --rekey: rewritten, nothing to rewrite, or not confirmed",
    2: "the command itself is wrong: an option, a path, a contract",
    3: "the cassette cannot be read, or a request asks something else, so that --rekey may not rewrite it",
}


@click.command(epilog=epilog(EXAMPLES, EXIT_CODES))
@click.argument("cassette", metavar="CASSETTE", type=ExistingPath(files_in=".yaml"))
@CONTRACT
@EXTRACT
@MAX_ATTEMPTS
@click.option("--whole", is_flag=True, help="Show system prompts and long messages in full.")
@click.option(
    "--rekey",
    is_flag=True,
    help="Instead: rewrite the recorded requests as the last replay sent them, without a call, where they ask the same "
    "and only what an SDK puts around that has changed.",
)
@click.option("-y", "--yes", is_flag=True, help="With --rekey: rewrite without asking.")
def show(
    cassette: Path,
    specs: tuple[str, ...],
    extract: Extract | None,
    max_attempts: int,
    whole: bool,
    rekey: bool,
    yes: bool,
) -> None:
    """Print what was asked and answered in a cassette, attempt by attempt, and what a contract says about it.

    Each request shows only the messages that the one before did not have. Without --contract, the schema comes from the
    requests, if they have one.
    """
    if cassette.suffix.lower() in LINES:
        raise UsageError(f"{cassette}: a file of lines is not a cassette. Judge its answers with planguard check.")
    needs("--yes", yes, "--rekey", rekey)
    excludes("--whole", whole, "--rekey", rekey)
    excludes("--contract", specs, "--rekey", rekey)
    if rekey:
        rekey_cassette(cassette, sure=yes)
        return
    from ...replay.files.reader import read_cassette
    from ...retry.judging.contracts.request_contracts import AutoContracts
    from ...retry.judging.judge import judge
    from ...retry.judging.judging_options import JudgeOptions
    from ..inputs.kept_proofs import BY_READING, ProofsOfRuns

    read = read_cassette(cassette)
    contracts = load_contracts(specs, extract) or AutoContracts(extract or "embedded").of(read.exchanges)
    options = JudgeOptions(max_attempts=max_attempts, partial=not specs)
    judgement = judge(read.exchanges, contracts, options=options)
    runs = ProofsOfRuns(contracts if specs else ())
    proofs = runs.of(cassette, judgement.conversations)
    counts = (count(len(read.exchanges), "exchange"), count(len(judgement.conversations), "conversation"))
    say(f"{one_line(str(cassette))}: {', '.join(counts)}")
    for note in (*read.notes, *_rekeyed(read), *runs.notes()):
        say(f"note: {one_line(note, 400)}")
    for block in blocks(read.exchanges, judgement, proofs, whole=whole, color=in_color()):
        say(f"\n{block}", painted=True)
    if any(len(found.attempts) > 1 for found in judgement.conversations):
        say(f"\nRetries are judged {BY_READING}.")
    if not specs and judgement.unjudged and not judgement.conversations:
        say("\nNothing was judged: no request carries a schema. Name what the answers must be: -c module:NAME")
    elif not specs and judgement.conversations:
        say("\nJudged by the schemas in the requests only; --contract module:NAME adds your own rules.")


def _rekeyed(cassette: Cassette) -> Iterator[str]:
    """Yield the requests that were rewritten after an upgrade."""
    from ...replay.session.rekey import NOTE_HEADER

    for number, interaction in enumerate(cassette.interactions, 1):
        note = interaction.request.headers.get(NOTE_HEADER)
        if note:
            yield f"request {number} was rewritten: {one_line(note, 300)}"


def blocks(
    exchanges: tuple[Exchange, ...],
    judgement: Judgement,
    proofs: Iterable[ShownProof] = (),
    *,
    whole: bool,
    color: bool = False,
) -> Iterator[str]:
    """Yield one text per conversation, then one for each exchange that belongs to no conversation."""
    from ..inputs.kept_proofs import beside

    shown: set[int] = set()
    for convergence in judgement.conversations:
        known = beside(proofs, convergence.conversation)
        yield conversation(convergence, known, whole=whole, color=color)
        for attempt in convergence.attempts:
            shown |= {attempt.exchange.number, *(step.number for step in attempt.steps)}
    before: Exchange | None = None
    for exchange in exchanges:
        if exchange.number not in shown:
            yield f"{headline(exchange)}\n{render_exchange(exchange, before, whole=whole)}"
        before = exchange


def conversation(convergence: Convergence, known: Beside | None = None, *, whole: bool, color: bool = False) -> str:
    """Return the messages, attempt by attempt, then the judgement."""
    style = Style(color)
    parts: list[str] = []
    before: Exchange | None = None
    for attempt in convergence.attempts:
        for exchange in (*attempt.steps, attempt.exchange):
            step = "" if exchange is attempt.exchange else ", a tool step"
            parts.append(f"{style.strong(f'attempt {attempt.number}{step}')}: {headline(exchange)}")
            parts.append(render_exchange(exchange, before, whole=whole))
            before = exchange
    return "\n".join([*parts, "", render_conversation(convergence, color=color, beside=known)])


# `planguard show CASSETTE --rekey`: show the changes in the envelopes of requests, and rewrite them.


def rekey_cassette(cassette: Path, *, sure: bool) -> None:
    """Print the changes, ask unless `sure`, and rewrite. Raises CassetteError if more than the envelope changed."""
    from ...errors import CassetteError
    from ...replay.files.reader import read_cassette
    from ...replay.session.rekey import read_sent, rekey, rekeyed, write_rekeyed

    sent = read_sent(cassette)
    recorded = read_cassette(cassette).interactions
    changes = [rekeyed(recorded[one.position - 1].request, one) for one in sent]
    for one in changes:
        say(f"request {one.position}{':' if one.changes else ': as recorded'}")
        for change in one.changes:
            say(f"  {one_line(change, 200)}")
    refused = [one.position for one in changes if not one.allowed]
    if refused:
        several = f"requests {', '.join(map(str, refused))} ask"
        asking = f"request {refused[0]} asks" if len(refused) == 1 else several
        raise CassetteError(
            f"{cassette}: {asking} something else now, so the recorded answers do not fit. Record the test again"
        )
    if not any(one.changes for one in changes):
        say("nothing to rewrite")
        return
    text = rekey(cassette, sent)
    if sure or _agreed(cassette):
        write_rekeyed(cassette, text)
        say(f"rewritten: {one_line(str(cassette))}")
    else:
        say("nothing was written; --rekey --yes writes")


def _agreed(cassette: Path) -> bool:
    """Ask the user. Without a terminal the answer is no."""
    try:
        return agreed(f"rewrite the requests of {one_line(str(cassette))}? answers stay as they are")
    except click.Abort:
        say()
        return False
