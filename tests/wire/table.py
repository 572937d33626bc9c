"""Print what the exchanges of a folder of cassettes were read as: `python -m tests.wire.table [--hosts] FOLDER…`.

Two Markdown tables: the dialects, and what was kept as raw text with the reason. With `--hosts` one line a result and
host instead.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from urllib.parse import urlsplit

from pytest_planguard.replay.files.reader import find_cassettes, read_cassette
from pytest_planguard.wire.exchange import Exchange

RESULTS = ("answer", "refusal", "error", "nothing said")


def result_of(exchange: Exchange) -> str:
    """What came of one exchange: an answer, an error, …, or why it stayed raw, without its place."""
    if exchange.note:
        return "raw: " + re.sub(r" \([A-Za-z]+ .*\)$", "", exchange.note)
    found = {"answer": exchange.answer, "refusal": exchange.refusal, "error": exchange.error}
    return next((name for name, value in found.items() if value), "nothing said")


def all_exchanges(folders: list[str]) -> Iterator[Exchange]:
    """Every exchange of every cassette."""
    for file in find_cassettes(folders):
        yield from read_cassette(file).exchanges


def by_host(exchanges: Iterable[Exchange]) -> str:
    """One line a result: how many exchanges, in which dialect, from which host."""
    rows = Counter((e.dialect, result_of(e), urlsplit(e.url).hostname or "?") for e in exchanges)
    return "\n".join(f"{n:5}  {dialect:19} {result:45} {host}" for (dialect, result, host), n in sorted(rows.items()))


def by_dialect(exchanges: Iterable[Exchange]) -> str:
    """Two tables: what each dialect's exchanges gave, and why the others are raw text."""
    counts: Counter[tuple[str, str]] = Counter()
    raw: Counter[str] = Counter()
    for exchange in exchanges:
        if not exchange.is_generation:
            raw[result_of(exchange).removeprefix("raw: ")] += 1
            continue
        counts[exchange.dialect, result_of(exchange)] += 1
        counts[exchange.dialect, "streamed"] += exchange.streamed
        counts[exchange.dialect, "lines skipped"] += exchange.skipped_lines
    columns = (*RESULTS, "streamed", "lines skipped")
    lines = [_row("dialect", *columns), _row(*["---"] * (len(columns) + 1))]
    dialects = sorted({dialect for dialect, _ in counts})
    lines += [_row(dialect, *(counts[dialect, column] for column in columns)) for dialect in dialects]
    lines.append(_row("all", *(sum(n for (_, c), n in counts.items() if c == column) for column in columns)))
    reasons = [_row("kept as raw text", "exchanges"), _row("---", "---")]
    reasons += [_row(reason, n) for reason, n in raw.most_common()]
    return "\n".join([*lines, "", *reasons])


def _row(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"


if __name__ == "__main__":
    chosen = [argument for argument in sys.argv[1:] if argument != "--hosts"]
    print((by_host if "--hosts" in sys.argv else by_dialect)(all_exchanges(chosen)))
