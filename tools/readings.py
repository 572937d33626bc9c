"""Write what is read in the documents of tests/plans/readings: `python -m tools.readings`."""

from __future__ import annotations

from pathlib import Path

from tests.support.readings import documents, pinned, reading

FOLDER = Path(__file__).parent.parent / "tests" / "plans" / "readings" / "documents"

if __name__ == "__main__":
    for document in documents(FOLDER):
        text = reading(document.read_text(encoding="utf-8"), document.name, document.parent.name)
        pinned(document).write_text(text, encoding="utf-8", newline="\n")
