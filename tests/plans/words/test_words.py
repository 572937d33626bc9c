"""What is decided about many words and texts: pinned, line by line, so that a word that a table loses is noticed.

`python -m tools.readings` decides again; look at what changed before it is committed.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ...support.pins import decided, whole
from .cases import CASES
from .deciders import DECIDERS

PINNED = Path(__file__).parent / "pinned"


@pytest.mark.parametrize("name", DECIDERS)
def test_each_is_decided_as_before(name: str) -> None:
    """An input and what it becomes, on each line."""
    file = PINNED / f"{name}.tsv"
    assert decided(file, DECIDERS[name]) == file.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("said", CASES, ids=lambda case: case.__name__)
def test_what_is_said_of_artifacts_and_policies_is_as_before(said: Callable[[], Iterator[str]]) -> None:
    """Findings, fixes, routes and formats, in the words that a person sees."""
    assert whole(said).split("\n") == (PINNED / f"{said.__name__}.txt").read_text(encoding="utf-8").split("\n")
