"""What a contract says, whole: of every keyword and type, in every wrapping, style and form of request.

The texts are pinned in files beside this one; `python -m tools.readings` writes them again. Look at what changed before
it is committed.
"""

from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path

import pytest

from ...support.pins import whole
from .cases import CASES

NEWEST = {"models": "pydantic", "places": "pydantic", "json_schemas": "jsonschema_rs"}
"""Cases that say what a library finds: an older one finds it in another order, or under another code."""
OLD = {"pydantic": (2, 12), "jsonschema_rs": (0, 60)}
PINNED = Path(__file__).parent / "pinned"


@pytest.mark.parametrize("said", CASES, ids=lambda case: case.__name__)
def test_the_words_are_as_before(said: Callable[[], Iterator[str]]) -> None:
    """Each finding with its place, code, words and values; each text that a model gets."""
    library = NEWEST.get(said.__name__)
    if library is not None and _version(library) < OLD[library]:
        pytest.skip(f"the installed {library} is older than the words")
    assert whole(said).split("\n") == (PINNED / f"{said.__name__}.txt").read_text(encoding="utf-8").split("\n")


def _version(library: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version(library).split(".")[:2])
