"""The limits for the share of each verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from .project.app.feedback import LOSSY
from .run import Result, wrong

GREEN = ("reacts", "proven")
"""The verdicts that pass without a warning."""


@dataclass(frozen=True)
class Bar:
    """A share of some apps, and its limit."""

    name: str
    part: int
    whole: int
    most: float | None = None
    """In percent; None for no limit."""
    least: float | None = None

    @property
    def share(self) -> float:
        """In percent; 0 without apps."""
        return 100 * self.part / self.whole if self.whole else 0.0

    @property
    def ok(self) -> bool:
        """True if the share is within the limit."""
        low = self.least is None or not self.whole or self.share >= self.least
        return low and (self.most is None or self.share <= self.most)

    def __str__(self) -> str:
        limits = (("at most", self.most), ("at least", self.least))
        bar = "".join(f" ({words} {limit:g} %)" for words, limit in limits if limit is not None)
        missed = "" if self.ok else " MISSED"
        return f"{self.name:<50} {self.part:>4} of {self.whole:<4} {self.share:5.1f} %{bar}{missed}"


def printed(both: Sequence[Sequence[Result]]) -> int:
    """Print the results of the cases, recorded and replayed; return 1 if a limit is missed."""
    missed = 0
    for name, results in zip(("recorded", "replayed"), both, strict=True):
        bars = [*held(results)]
        print(f"\n{name}", *wrong(results), *bars, sep="\n")
        missed += sum(not one.ok for one in bars)
    return int(bool(missed))


def held(results: Sequence[Result]) -> Iterator[Bar]:
    """Yield the share of each verdict for correct apps, and the green share of each kind of broken ones."""

    def bar(name: str, of: Callable[[Result], bool], *colors: str, **limit: float) -> Bar:
        these = [r for r in results if of(r)]
        return Bar(name, sum(r.color in colors for r in these), len(these), **limit)

    def is_right(r: Result) -> bool:
        return r.version == "right"

    yield bar("right apps red", is_right, "red", most=0)
    yield bar("right apps unclear", is_right, "unclear", most=3)
    yield bar("right apps that react", is_right, "reacts")
    yield bar("right apps proven", is_right, "proven", least=60)
    yield bar("lossy apps green", lambda r: r.version in LOSSY, *GREEN, most=0)
    yield bar("lossy apps unclear", lambda r: r.version in LOSSY, "unclear")
    for version, most in (("wrong field", 2.0), ("wrong item", 2.0), ("other rule", 15.0), ("stale", 15.0)):

        def is_named(r: Result, version: str = version) -> bool:
            return r.version == version and r.names

        yield bar(f"{version}, in words that name something: green", is_named, *GREEN, most=most)
        yield bar(f"{version}, in words that name something: unclear", is_named, "unclear")

    def is_free(r: Result) -> bool:
        return r.version in ("wrong field", "wrong item", "other rule", "stale") and not r.names

    yield bar("wrong in free words: proven", is_free, "proven", most=0)
    yield bar("wrong in free words: reacts", is_free, "reacts")
