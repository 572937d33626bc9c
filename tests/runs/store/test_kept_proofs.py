"""What kept runs have of experiments: which results count for which answer, and how they are told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from pytest_planguard.replay.files.reader import read_cassette
from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.retry.results import Convergence
from pytest_planguard.runs.model.judged_answers import Judged
from pytest_planguard.runs.model.run import CaseRow, ProofRow, RunHeader
from pytest_planguard.runs.store.kept_proofs import KeptProof, ProofsOfRuns, beside, written
from pytest_planguard.runs.store.store import Store

from ...support.exchanges import chat, write
from ...support.one_item import in_one_item
from ...support.runs import attempt
from ...wire.logs.forms import BAD, GOOD, messages
from ..logs.judges import TICKET

PROOF = ProofRow("1", 1, "enum", ("priority",), "proven", "the retry says it")
OTHER = ProofRow("1", 1, "length", ("steps",), "missing", "no word of it")
HEADER = RunHeader("main", "s1", "2026-11-20T10:00:00+00:00", "0f4246812345", dirty=False)


@in_one_item
@pytest.mark.parametrize(
    ("header", "proof", "text"),
    [
        (HEADER, PROOF, "proven by an experiment in the run of 2026-11-20, commit 0f42468: the retry says it"),
        (
            replace(HEADER, dirty=True),
            OTHER,
            "missing, says an experiment in the run of 2026-11-20, commit 0f42468 with changes: no word of it",
        ),
        (
            replace(HEADER, created=None, commit=None, dirty=True),
            PROOF,
            "proven by an experiment in the run main: the retry says it",
        ),
        (
            replace(HEADER, created="soon", name="a\nb", commit="HEAD"),
            replace(PROOF, result="reacts", reason="x\ny"),
            "reacts, says an experiment in the run a b: x y",
        ),
    ],
)
def test_the_text_of_a_proof(header: RunHeader, proof: ProofRow, text: str) -> None:
    """With the day and commit of its run, as far as its header has them; each text on one line."""
    assert KeptProof(proof, BAD, "d", header).text == text


def test_long_texts_of_a_run_are_cut() -> None:
    """Its name after 80 characters, a result after 40, a reason after 200."""
    for more in (0, 1):
        proof = replace(PROOF, result="R" * (40 + more), reason="S" * (200 + more))
        text = KeptProof(proof, BAD, "d", RunHeader("N" * (80 + more))).text
        assert [letters in text for letters in ("N" * 80, "R" * 40, "S" * 200)] == [not more] * 3
        assert [text.count(letter) > 30 for letter in "NRS"] == [True] * 3


def test_a_proof_as_plain_values() -> None:
    """A commit that is none is left out."""
    assert KeptProof(PROOF, BAD, "d", HEADER).data == {
        "conversation": "1",
        "attempt": 1,
        "code": "enum",
        "path": ["priority"],
        "result": "proven",
        "reason": "the retry says it",
        "run": {"name": "main", "date": "2026-11-20", "commit": "0f4246812345", "dirty": False},
    }
    commits = ["0f42468", "0f4246", "f" * 64, "f" * 65, "0F42468", "main", None]
    assert [KeptProof(PROOF, BAD, "d", replace(HEADER, commit=one)).commit for one in commits] == [
        "0f42468",
        None,
        "f" * 64,
        None,
        None,
        None,
        None,
    ]


def test_the_time_of_a_run_is_utc_unless_it_says_otherwise() -> None:
    """No time, and a text that is none, are unknown."""
    times = ["2026-11-20T10:00:00", "2026-11-20T10:00:00+02:00", "soon", None]
    found = [written(RunHeader("a", created=one)) for one in times]
    assert [str(one) for one in found] == ["2026-11-20 10:00:00+00:00", "2026-11-20 10:00:00+02:00", "None", "None"]


def test_remarks_beside_a_conversation_are_those_about_it() -> None:
    """By attempt and finding."""
    proofs = [KeptProof(PROOF, BAD, "d", HEADER), KeptProof(replace(OTHER, conversation="2"), BAD, "d", HEADER)]
    assert [*beside(proofs, "2")] == [(1, ("length", ("steps",)))]
    assert beside(proofs, "1")[1, ("enum", ("priority",))].startswith("proven by an experiment")


class Recorded:
    """A cassette whose retry feeds nothing back, and runs of its project with experiments about that."""

    def __init__(self, folder: Path) -> None:
        self.store = Store(folder)
        self.cassette = write(folder / "a.yaml", chat(messages(1), BAD), chat(messages(2, "no"), GOOD))
        self.conversations: Sequence[Convergence] = judge(
            read_cassette(self.cassette).exchanges, [TICKET]
        ).conversations
        judged = Judged((attempt(BAD), attempt(GOOD)), "converged", ok=False, digest=TICKET.digest)
        digest = sha256(self.cassette.read_bytes()).hexdigest()
        self.row = CaseRow("a", "t.py::a", cassette_digest=digest, judged=(judged,), proofs=(PROOF,))

    def kept(self, *rows: CaseRow, name: str = "main", header: RunHeader = HEADER) -> None:
        """Keep a run of these rows."""
        self.store.save(name, header, rows)

    def found(self) -> list[tuple[str, str]]:
        """The code and result of each proof that counts."""
        proofs = ProofsOfRuns([TICKET]).of(self.cassette, self.conversations)
        return [(one.proof.code, one.proof.result) for one in proofs]


@pytest.fixture
def recorded(tmp_path: Path) -> Recorded:
    """A cassette, without any run."""
    return Recorded(tmp_path)


def test_a_proof_counts_for_the_same_answer_and_contract(recorded: Recorded) -> None:
    """One that settles nothing does not, nor one of another answer, attempt, contract or cassette."""
    assert recorded.found() == []
    row, (judged,) = recorded.row, recorded.row.judged
    recorded.kept(replace(row, proofs=(OTHER, PROOF)))
    assert recorded.found() == [("enum", "proven"), ("length", "missing")]
    for result in ("unproven", "not judged"):
        recorded.kept(replace(row, proofs=(replace(PROOF, result=result),)))
        assert recorded.found() == [], result
    recorded.kept(
        replace(row, proofs=(replace(PROOF, path=("title",)),)),
        replace(row, proofs=(replace(PROOF, attempt=0),)),
        replace(row, proofs=(replace(PROOF, attempt=3),)),
        replace(row, proofs=(replace(PROOF, conversation="2"),)),
        replace(row, judged=(replace(judged, attempts=judged.attempts[::-1]),)),
        replace(row, judged=(replace(judged, digest="0" * 12),)),
        replace(row, judged=(replace(judged, digest=None),)),
        replace(row, judged=(replace(judged, single=True),)),
        replace(row, cassette_digest="0" * 64),
    )
    assert recorded.found() == []
    recorded.kept(row)
    assert recorded.found() == [("enum", "proven")]


def test_without_a_named_contract_or_an_unclear_finding_no_run_is_read(recorded: Recorded) -> None:
    """A contract that was made from a request belongs to no test."""
    recorded.kept(recorded.row)
    assert ProofsOfRuns([]).of(recorded.cassette, recorded.conversations) == ()
    assert ProofsOfRuns([TICKET]).of(recorded.cassette, []) == ()
    assert ProofsOfRuns([TICKET]).of(recorded.cassette.with_name("gone.yaml"), recorded.conversations) == ()


def test_the_newest_run_decides_if_its_tests_agree(recorded: Recorded) -> None:
    """By the time in its header; a run without one is the oldest."""
    missing = replace(recorded.row, key="b", proofs=(replace(PROOF, result="missing"),))
    recorded.kept(missing, header=replace(HEADER, created=None))
    recorded.kept(recorded.row, name="old", header=replace(HEADER, created="2026-11-19T10:00:00+00:00"))
    assert recorded.found() == [("enum", "proven")]
    recorded.kept(missing, name="new", header=replace(HEADER, created="2026-11-21T10:00:00+00:00"))
    assert recorded.found() == [("enum", "missing")]
    recorded.kept(recorded.row, missing, name="new", header=replace(HEADER, created="2026-11-21T10:00:00+00:00"))
    assert recorded.found() == []
    recorded.kept(missing, missing, name="new", header=replace(HEADER, created="2026-11-21T10:00:00+00:00"))
    assert recorded.found() == [("enum", "missing")]


def test_a_run_that_cannot_be_read_is_a_note(recorded: Recorded) -> None:
    """The others count."""
    recorded.kept(recorded.row)
    recorded.kept(recorded.row, name="last")
    folder = recorded.store.folder / "runs"
    (folder / "dir.jsonl").mkdir()
    (folder / "gone.jsonl").symlink_to("nowhere")
    (folder / "other.jsonl").write_text('{"planguard":"run","schema":99}\n')
    proofs = ProofsOfRuns([TICKET])
    assert len(proofs.of(recorded.cassette, recorded.conversations)) == 1
    said = "the kept run cannot be read:"
    later = "record schema 99, and this planguard reads 1."
    assert sorted(proofs.notes()) == [
        f"{folder / 'dir.jsonl'}: {said} it is not a file",
        f"{folder / 'gone.jsonl'}: {said} No such file or directory",
        f"{folder / 'other.jsonl'}: {said} {later} Read it with the planguard that wrote it, or run the tests again.",
    ]
