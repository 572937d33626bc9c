"""`planguard show`: print the conversations of one cassette for a person, or rewrite its envelopes with `--rekey`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...errors import UsageError
from ...printable import one_line, visible
from ...report.conversation import render_conversation
from ...report.plain_text import Style, count
from ...runs.load.contracts import load_contracts
from ...wire.exchange import ItemKind, Role
from ..commands import CONTRACT, EXTRACT, MAX_ATTEMPTS, epilog, excludes, needs
from ..inputs.sources import ExistingPath
from ..output import agreed, in_color, say

if TYPE_CHECKING:
    from ...document.answer import Extract
    from ...replay.files.reader import Cassette
    from ...report.conversation import Beside
    from ...retry.judging.judge import Judgement
    from ...retry.results import Convergence
    from ...runs.store.kept_proofs import KeptProof
    from ...wire.exchange import Exchange, Item


SYSTEM_LIMIT = 200
"""Maximum number of characters to show of a system prompt, which is long, always the same, and rarely the cause of an
error."""
TEXT_LIMIT = 4_000
"""Maximum number of characters to show of any other message."""
RAW_LIMIT = 400
"""Maximum number of characters to show of a body that no dialect reads."""
MARGIN = "  "
LABEL = 10
"""Width of a label such as "assistant", with the blank after it."""


def render_exchange(exchange: Exchange, before: Exchange | None = None, *, whole: bool = False) -> str:
    """Return the request's messages that `before` (the request that it continues) lacks, and the answer.

    `whole` shows the system prompt and long messages in full.
    """
    if not exchange.is_generation:
        return _raw(exchange)
    earlier = before.request if before else ()
    kept = common_prefix(earlier, exchange.request)
    lines = [_line("", f"({count(kept, 'message')} as before)")] if kept else []
    lines += [_item(item, item.role.value, whole) for item in exchange.request[kept:]]
    lines += [_item(item, "answer", whole) for item in exchange.answer]
    lines += list(_ending(exchange))
    return "\n".join(lines)


def common_prefix(earlier: Sequence[Item], later: Sequence[Item]) -> int:
    """Return how many leading items are the same."""
    same = 0
    for one, other in zip(earlier, later, strict=False):
        if one != other:
            break
        same += 1
    return same


def headline(exchange: Exchange) -> str:
    """Return the exchange on one line: number, model, finish, tokens, recorded latency."""
    words = [f"exchange {exchange.number}", exchange.model or exchange.dialect]
    if exchange.status != 200:
        words.append(f"HTTP {exchange.status}")
    if exchange.finish is not None:
        words.append(f"finish {exchange.finish.value}")
    if exchange.usage.output_tokens is not None:
        words.append(f"{exchange.usage.input_tokens or 0:,} + {exchange.usage.output_tokens:,} tokens")
    if exchange.latency_s is not None:
        words.append(f"{exchange.latency_s:,.1f} s")
    return one_line(", ".join(words), 160)


def _item(item: Item, label: str, whole: bool) -> str:
    text = item.text
    if item.kind is ItemKind.CALL:
        text = f"calls {item.name or '?'}({text})"
    elif item.kind is ItemKind.RESULT:
        text = f"{'error' if item.is_error else 'result'} of {item.name or item.call_id or 'the call'}: {text}"
    limit = SYSTEM_LIMIT if item.role is Role.SYSTEM else TEXT_LIMIT
    return _line(label, text if whole else clip(text, limit))


def clip(text: str, limit: int) -> str:
    """Return at most `limit` characters, with the number of characters that were cut."""
    cut = len(text) - limit
    return text if cut <= 0 else f"{text[:limit]} … ({count(cut, 'more character')})"


def _line(label: str, text: str) -> str:
    """Return a label and a text whose later lines are aligned with its first."""
    safe = visible(text.replace("\r\n", "\n"))
    indent = "\n" + MARGIN + " " * LABEL
    return f"{MARGIN}{label:<{LABEL}}{indent.join(safe.split(chr(10)))}".rstrip()


def _ending(exchange: Exchange) -> Iterator[str]:
    if exchange.refusal:
        yield _line("refusal", clip(exchange.refusal, TEXT_LIMIT))
    if exchange.error:
        yield _line("error", clip(exchange.error, TEXT_LIMIT))
    if exchange.rejected_text:
        yield _line("rejected", clip(exchange.rejected_text, TEXT_LIMIT))
    if not (exchange.answer or exchange.refusal or exchange.error):
        yield _line("answer", "(nothing)")


def _raw(exchange: Exchange) -> str:
    lines = [_line("", f"kept as raw text: {exchange.note or 'no dialect reads it'}")]
    lines.append(_line("request", clip(exchange.raw_request, RAW_LIMIT)))
    lines.append(_line("answer", clip(exchange.raw_response, RAW_LIMIT)))
    return "\n".join(lines)


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
    from ...retry.judging.judge import judge
    from ...retry.judging.judging_options import JudgeOptions
    from ...retry.judging.request_contracts import AutoContracts
    from ...runs.store.kept_proofs import BY_READING, ProofsOfRuns

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
    proofs: Iterable[KeptProof] = (),
    *,
    whole: bool,
    color: bool = False,
) -> Iterator[str]:
    """Yield one text per conversation, then one for each exchange that belongs to no conversation."""
    from ...runs.store.kept_proofs import beside

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
