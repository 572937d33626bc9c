"""What the words at the head of a comparison's tables mean, for whoever reads one for the first time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..runs.statistics import ALPHA

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..runs.compare.run_diff import Axis

Legend = tuple[tuple[str, str], ...]
"""Words with their meaning, in the order in which they are met."""

_CHANCE = f"the chance of so uneven a split if neither is better (exact McNemar test); up to {ALPHA:g} it is evidence"
ARMS: Legend = (
    ("valid by N", "tasks with a valid answer after at most N attempts"),
    ("rescued", "of the tasks whose first answer was not valid, those whose last answer is"),
    ("stuck", "tasks that ended with an answer they had given before, still not valid"),
    ("false convergence", "tasks whose last answer is valid, but a copy of the prompt, an example or the feedback"),
)
"""The table of three and more runs."""
PAIRS: Legend = (("only", "tasks that this run alone gets valid"), ("p", _CHANCE))
"""The table of every two of them."""
RULES: Legend = (
    ("better, worse", "cases that break the rule only before, only now"),
    ("p", _CHANCE),
)
"""The table of rules."""
_DIGESTS = {
    "prompt": "prompt (a digest of all messages before the task)",
    "contract": "contract (name and a digest of its rules)",
    "match": "match (how requests find their recording)",
}


def legend_lines(legend: Legend) -> Iterator[str]:
    """'rescued: of the tasks …': each word on its line."""
    yield from (f"{word}: {meaning}" for word, meaning in legend)


def axis_name(axis: Axis) -> str:
    """What two runs differ in, with what its values are where they do not speak for themselves."""
    return _DIGESTS.get(axis.name, axis.name)
