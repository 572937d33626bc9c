"""Write what tests pin of readings and messages, whole: `python -m tools.readings`.

What plans of every format are read as is below tests/plans/readings, what contracts say below tests/contract/words.
"""

from __future__ import annotations

from pathlib import Path

from tests.contract.words.cases import CASES
from tests.contract.words.show import whole
from tests.support.readings import documents, pinned, reading

TESTS = Path(__file__).parent.parent / "tests"

if __name__ == "__main__":
    for document in documents(TESTS / "plans" / "readings" / "documents"):
        read = reading(document.read_text(encoding="utf-8"), document.name, document.parent.name)
        pinned(document).write_text(read, encoding="utf-8", newline="\n")
    for said in CASES:
        file = TESTS / "contract" / "words" / "pinned" / f"{said.__name__}.txt"
        file.write_text(whole(said), encoding="utf-8", newline="\n")
