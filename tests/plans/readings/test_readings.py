"""What is read in a plan of every format, and what is found: whole, in the words that a person sees.

The documents have every form that a reader knows, sound and broken. A reading is written again by
`make decisions`; look at what changed before it is committed.
"""

from pathlib import Path

import pytest

from ...support.one_item import in_one_item
from ...support.readings import documents, pinned, reading

DOCUMENTS = documents(Path(__file__).parent / "documents")


@in_one_item
@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: f"{document.parent.name}/{document.stem}")
def test_a_document_is_read_as_before(document: Path) -> None:
    """Tasks, edges, places, requirements, and each finding with its place and words."""
    text = document.read_text(encoding="utf-8")
    assert reading(text, document.name, document.parent.name) == pinned(document).read_text(encoding="utf-8")
