"""Write what tests pin of readings, decisions and messages, whole: `python -m tools.readings`.

What plans of every format are read as is below tests/plans/readings, what contracts say below tests/contract/words, and
what single words are taken for below the folders `words` of tests/retry, tests/replay and tests/plans.
"""

from __future__ import annotations

from pathlib import Path

from tests.contract.words.cases import CASES as OF_CONTRACT
from tests.plans.words.cases import CASES as OF_ARTIFACTS
from tests.plans.words.deciders import DECIDERS as OF_PLANS
from tests.replay.words.cases import CASES as OF_EXCHANGES
from tests.replay.words.deciders import DECIDERS as OF_REPLAY
from tests.retry.words.conversations import recordings
from tests.retry.words.deciders import DECIDERS as OF_RETRY
from tests.retry.words.matching import matches
from tests.retry.words.test_words import SAID
from tests.support.pins import decided, whole
from tests.support.readings import documents, pinned, reading

TESTS = Path(__file__).parent.parent / "tests"


def _write(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    for document in documents(TESTS / "plans" / "readings" / "documents"):
        _write(pinned(document), reading(document.read_text("utf-8"), document.name, document.parent.name))
    for package, cases in (("contract", OF_CONTRACT), ("plans", OF_ARTIFACTS), ("replay", OF_EXCHANGES)):
        for said in cases:
            _write(TESTS / package / "words" / "pinned" / f"{said.__name__}.txt", whole(said))
    for name, lines in (("recordings", recordings), ("matches", matches)):
        _write(TESTS / "retry" / "words" / "pinned" / f"{name}.txt", "\n".join([*lines(), ""]))
    for said in SAID:
        _write(TESTS / "retry" / "words" / "pinned" / f"{said.__name__}.txt", whole(said))
    for package, deciders in (("plans", OF_PLANS), ("replay", OF_REPLAY), ("retry", OF_RETRY)):
        for name, decide in deciders.items():
            file = TESTS / package / "words" / "pinned" / f"{name}.tsv"
            _write(file, "\n".join([*decided(file, decide), ""]))
