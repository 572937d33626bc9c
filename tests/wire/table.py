"""Print what the exchanges of a folder of recordings were read as: `python -m tests.wire.table FOLDER…`."""

from __future__ import annotations

import re
import sys
from collections import Counter
from urllib.parse import urlsplit

from pytest_planguard.replay.reader import find_recordings, read_recording
from pytest_planguard.wire.exchange import Exchange


def result_of(exchange: Exchange) -> str:
    """What came of one exchange: an answer, an error, …, or why it stayed raw, without its place."""
    if exchange.note:
        return "raw: " + re.sub(r" \([A-Za-z]+ .*\)$", "", exchange.note)
    found = {"answer": exchange.answer, "refusal": exchange.refusal, "error": exchange.error}
    return next((name for name, value in found.items() if value), "nothing said")


def table(folders: list[str]) -> str:
    """One line a result: how many exchanges, in which dialect, from which host."""
    rows: Counter[tuple[str, str, str]] = Counter()
    for file in find_recordings(folders):
        for exchange in read_recording(file).exchanges:
            rows[exchange.dialect, result_of(exchange), urlsplit(exchange.url).hostname or "?"] += 1
    return "\n".join(f"{n:5}  {dialect:19} {result:45} {host}" for (dialect, result, host), n in sorted(rows.items()))


if __name__ == "__main__":
    print(table(sys.argv[1:]))
