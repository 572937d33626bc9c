"""The options of `planguard check` that apply only to logs, as typed and as values."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from ....errors import UsageError
from ...framework.shared_options import Options

if TYPE_CHECKING:
    from ....runs.logs.grouping import Grouping
    from ....wire.logs.logged import LogReader

_SINCE = re.compile(r"(\d{1,6})([smhdw])")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_SHARE = re.compile(r"(\d{1,3}(?:\.\d{1,6})?)%|(0?\.\d{1,9})")
"""A share such as `5%`, `0.5%` or `0.05`."""


@dataclass(frozen=True, slots=True)
class LogArguments:
    """The options for logs, as typed."""

    group_by: str = "trace"
    map: tuple[str, ...] = ()
    sample: str = "100%"
    seed: int = 0
    since: str | None = None
    jobs: int | None = None
    save: str | None = None
    engine: str | None = None
    resume: bool = False

    def grouping(self) -> Grouping:
        """Return how calls are grouped into conversations, and which groups are judged. Raises UsageError."""
        from ....runs.logs.grouping import Grouping, checked_key

        since = _since(self.since) if self.since else 0
        return Grouping(checked_key(self.group_by), self.share, self.seed, since)

    @property
    def share(self) -> float:
        """The share of groups to judge. Raises UsageError."""
        found = _SHARE.fullmatch(self.sample)
        share = (float(found[1]) / 100 if found[1] else float(found[2])) if found else 0.0
        if not 0 < share <= 1:
            raise UsageError(f"--sample {self.sample!r} is not a share of groups; write 5% or 0.05")
        return share

    def mapped(self) -> LogReader | None:
        """Return the reader for the user's map, or None. Raises UsageError."""
        if not self.map:
            return None
        from ....wire.logs.pairs import map_of, mapped_reader

        return mapped_reader("map", map_of(self.map))


def _since(text: str) -> int:
    found = _SINCE.fullmatch(text)
    if not found:
        raise UsageError(f"--since {text!r} is not a duration; write 30m, 1h or 2d")
    return time.time_ns() - int(found[1]) * _SECONDS[found[2]] * 10**9


_WORDS = {
    ("--group-by",): ("trace|session|NAME", "What ties the calls of one task: also NAME or NAME:PATTERN of a field."),
    ("--map",): ("request=PATH", "The place in a row of request=, response=, id=, group=, time=, model=; repeatable."),
    ("--sample",): ("5%", "The share of the groups that is judged."),
    ("--seed",): ("N", "Chooses other groups for the sample."),
    ("--since",): ("1h", "Leave out older calls (30m, 2d)."),
    ("-j", "jobs"): ("N", "Processes that judge."),
    ("--save",): ("NAME", "Save the conversations as a run, for diff and report."),
    ("--engine",): ("dask://HOST:PORT", "Judge on a cluster."),
    ("--resume",): ("", "Keep what is judged until the end. After a stop, the same command goes on from there."),
}
_GIVEN: dict[str, dict[str, Any]] = {
    "--group-by": {"default": "trace"},
    "--map": {"multiple": True},
    "--sample": {"default": "100%"},
    "--seed": {"type": int, "default": 0},
    "-j": {"type": click.IntRange(1)},
    "--resume": {"is_flag": True},
}
LISTED = "\n".join(f"  {' '.join((names[0], value)):<32}  {text}" for names, (value, text) in _WORDS.items())
"""The options at the end of the command's help. There are many of them, and they apply only to logs."""
log_options = Options(
    *(
        click.option(*names, metavar=value or None, help=text, hidden=True, **_GIVEN.get(names[0], {}))
        for names, (value, text) in _WORDS.items()
    )
)
