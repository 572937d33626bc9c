"""Every answer of a folder of cassettes, read twice."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from pytest_planguard.replay.files.reader import find_cassettes, read_cassette
from pytest_planguard.wire.exchange import Exchange

from ...support.nightly import drawn
from .reading import Reading, planguard_reading
from .sdks import SDKS
from .server import AnswerServer, answer_server

SHOWN = 160
ENDS = {"text.completion": "/completions", "cohere.message": "/v2/chat"}
"""Where a dialect has several forms: the end of the path whose form its SDK reads."""


@dataclass
class Compared:
    """What came of it."""

    by_dialect: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Answers that are read alike, and all that were compared."""
    left_out: Counter[str] = field(default_factory=Counter)
    """Answers that no SDK was asked about, by reason."""
    differences: list[str] = field(default_factory=list)

    @property
    def alike(self) -> int:
        """Answers that are read alike."""
        return sum(alike for alike, _ in self.by_dialect.values())

    @property
    def total(self) -> int:
        """Answers that were compared."""
        return sum(total for _, total in self.by_dialect.values())


def compared(folder: Path, one_in: int = 1) -> Compared:
    """Compare the answers below a folder; by day those of every fourth file for `one_in=4`.

    What is no answer of a model, or an error, is left out.
    """
    result = Compared()
    with answer_server() as server:
        for path in drawn([*find_cassettes([folder])], one_in):
            recording = read_cassette(path)
            for exchange, interaction in zip(recording.exchanges, recording.interactions, strict=True):
                reason = _no_answer(exchange)
                if reason is None:
                    server.answer = interaction.response
                    _compare(result, exchange, server, f"{path.relative_to(folder)} answer {exchange.number}")
                else:
                    result.left_out[reason] += 1
    return result


def _no_answer(exchange: Exchange) -> str | None:
    """Return why an exchange has no answer that an SDK could read."""
    if not exchange.is_generation:
        return "no request to a model, or one that planguard does not read"
    if exchange.status != 200:
        return f"HTTP {exchange.status}"
    if exchange.dialect not in SDKS:
        return f"{exchange.dialect}: no SDK that reads it by itself"
    path = exchange.url.partition("?")[0]
    end = ENDS.get(exchange.dialect, "")
    if not path.endswith(end):
        return f"{exchange.dialect}: not the form of {end}, which its SDK reads"
    if "/invoke" in path:
        return f"{exchange.dialect} over InvokeModel: its SDK gives the bytes as they are"
    if exchange.dialect == "cohere.message" and exchange.streamed:
        return "cohere.message: its SDK does not put streams together"
    return None


def _compare(result: Compared, exchange: Exchange, server: AnswerServer, place: str) -> None:
    try:
        theirs = SDKS[exchange.dialect](server.origin, streamed=exchange.streamed)
    except ImportError as error:
        result.left_out[f"{exchange.dialect}: {error.name} is not installed"] += 1
        return
    except Exception as error:  # any: an SDK may stumble over a body in its own way, and that is what is counted
        result.left_out[f"{exchange.dialect}: the SDK cannot read it"] += 1
        said = " ".join(str(error).split())[:SHOWN]
        result.differences.append(f"not read by the SDK: {place}: {type(error).__name__}: {said}")
        return
    ours = planguard_reading(exchange)
    alike, total = result.by_dialect.get(exchange.dialect, (0, 0))
    result.by_dialect[exchange.dialect] = (alike + (ours == theirs), total + 1)
    if ours != theirs:
        result.differences.append(f"{place}: {_difference(ours, theirs)}")


def _difference(ours: Reading, theirs: Reading) -> str:
    def shown(value: Any) -> str:
        return repr(value)[:SHOWN]

    pairs = ((f.name, getattr(ours, f.name), getattr(theirs, f.name)) for f in fields(Reading))
    return "; ".join(f"{name}: planguard {shown(a)}, SDK {shown(b)}" for name, a, b in pairs if a != b)
