"""Run records: what is written is read back, and what is broken is told, not lost in silence."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding, Severity
from pytest_planguard.document.path import Span
from pytest_planguard.errors import RunError
from pytest_planguard.replay.session.rerecord import RerecordHint
from pytest_planguard.runs.model.header import RunHeader
from pytest_planguard.runs.model.judged_answers import AttemptRow, CheckRow, FedBackRow, Judged
from pytest_planguard.runs.model.part_rows import PipelineRow, SearchRow
from pytest_planguard.runs.model.request_words import Said
from pytest_planguard.runs.model.run import BadSample, CaseRow, LiveCheckRow, ProofRow, Run, SamplesRow
from pytest_planguard.runs.store.record import is_record, read_record
from pytest_planguard.runs.store.whole_files import write_whole

from ...support.runs import attempt, bad, good, run, run_lines

TEXT = st.text(st.characters(exclude_categories=()), max_size=20)
MAYBE = st.none() | TEXT
COUNTS = st.none() | st.integers(0, 10_000)
PATHS = st.sampled_from([(), ("a",), ("a", 0, "b/c~"), ("", "10x")])
SECONDS = st.none() | st.floats(0, 1_000)
FINDINGS = st.builds(
    Finding, TEXT, PATHS, TEXT, st.sampled_from(FailureKind), st.sampled_from(Severity),
    st.none() | st.builds(Span, st.integers(1, 9), st.integers(1, 9)), MAYBE, MAYBE, MAYBE,
)  # fmt: skip
ATTEMPTS = st.builds(
    AttemptRow, TEXT, st.booleans(), MAYBE, st.tuples() | st.tuples(FINDINGS), MAYBE, MAYBE, COUNTS, COUNTS,
    st.tuples() | st.tuples(st.builds(FedBackRow, TEXT, PATHS, TEXT, MAYBE, MAYBE)),
    SECONDS, st.integers(0, 3), st.integers(0, 3),
)  # fmt: skip
CHECKS = st.tuples() | st.tuples(
    st.builds(CheckRow, TEXT, st.sampled_from(["warn", "fail", "not judged"]), TEXT, st.tuples() | st.tuples(TEXT))
)
CONVERSATIONS = st.builds(
    Judged, st.lists(ATTEMPTS, max_size=3).map(tuple), TEXT, st.booleans(), st.sampled_from(["1", "t 2"]), TEXT, MAYBE,
    CHECKS, st.just(False), COUNTS,
)  # fmt: skip
SINGLES = st.builds(
    lambda one, outcome, contract, digest: Judged((one,), outcome, one.ok, "1", contract, digest, single=True),
    ATTEMPTS, st.sampled_from(["valid", "x"]), TEXT, MAYBE,
)  # fmt: skip
SAMPLES = st.builds(
    SamplesRow, st.integers(0, 3), st.integers(3, 9), st.floats(0, 1),
    st.lists(st.builds(BadSample, st.integers(1, 9), TEXT), max_size=2).map(tuple),
)  # fmt: skip
PROOFS = st.builds(ProofRow, TEXT, st.integers(1, 9), TEXT, PATHS, TEXT, TEXT)
PARTS = st.builds(PipelineRow, TEXT, TEXT, MAYBE, st.lists(TEXT, max_size=2).map(tuple))
CALLS = st.dictionaries(TEXT, st.integers(0, 99), max_size=2)
SEARCHES = st.builds(
    SearchRow, TEXT, st.booleans(), TEXT, st.integers(0, 99), st.integers(0, 9), st.integers(0, 9),
    st.lists(TEXT, max_size=2).map(tuple), CALLS, CALLS, st.lists(st.integers(1, 9), max_size=2).map(tuple), MAYBE,
)  # fmt: skip
ROWS = st.builds(
    CaseRow, TEXT, TEXT, MAYBE, MAYBE, MAYBE, MAYBE, st.just("a.yaml"), MAYBE,
    exchanges=st.none() | st.integers(0, 9), result=MAYBE, outcome=MAYBE,
    stale=st.lists(TEXT, max_size=2).map(tuple), misses=st.lists(TEXT, max_size=2).map(tuple),
    judged=st.tuples() | st.tuples(CONVERSATIONS, SINGLES), contracts=st.tuples() | st.just((("Ticket", "ab"),)),
    cost=SECONDS, latency_s=SECONDS, line=st.none() | st.integers(1, 99),
    scores=st.dictionaries(TEXT, st.floats(0, 1), min_size=1, max_size=2),
    rerecord=st.none() | st.builds(RerecordHint, TEXT, st.integers(0, 9), COUNTS, COUNTS),
    asked=st.lists(st.builds(Said, TEXT, TEXT), max_size=2).map(tuple), gave_up=st.none() | st.just("app.NoTicket"),
    rekey=st.none() | st.just("show"),
    samples=st.none() | SAMPLES, live_check=st.none() | st.builds(LiveCheckRow, TEXT, TEXT, TEXT),
    proofs=st.tuples() | st.tuples(PROOFS), pruned=st.lists(TEXT, max_size=2).map(tuple),
    untracked=st.lists(TEXT, max_size=2).map(tuple),
    searches=st.lists(SEARCHES, max_size=2).map(tuple), task=MAYBE,
    pipeline=st.lists(PARTS, max_size=2).map(tuple),
)  # fmt: skip


def written(folder: Path, found: Run) -> Path:
    """The record of a run as a file."""
    return write_whole(folder / "run.jsonl", run_lines(found), "the run")


@pytest.mark.slow
@given(st.lists(ROWS, max_size=3, unique_by=lambda row: (row.key, row.variant, row.model, row.test)))
def test_a_run_written_and_read_is_the_same_run(tmp_path_factory: pytest.TempPathFactory, rows: list[CaseRow]) -> None:
    """Every field survives, lone surrogates and control characters included, and rows come sorted."""
    folder = tmp_path_factory.mktemp("record")
    header = RunHeader("main", "id", "2026-01-02T03:04:05+00:00", "abc", True, {"pydantic": "2.14"}, "gated", "none")
    found = read_record(written(folder, Run(header, tuple(rows))))
    assert found.header == header
    assert sorted(found.rows, key=repr) == sorted(rows, key=repr)
    assert "".join(run_lines(found)) == (folder / "run.jsonl").read_text(encoding="utf-8")


def test_rows_are_the_same_text_in_any_order() -> None:
    """The order in which cases finished does not show in the record."""
    rows = [good("b"), bad("a"), good("a", variant="x")]
    assert list(run_lines(run("r", rows))) == list(run_lines(run("r", rows[::-1])))


def test_a_record_without_header_is_read(tmp_path: Path) -> None:
    """The rows that a session leaves behind are a run named after their file."""
    lines = list(run_lines(run("r", [good("a")])))[1:]
    path = tmp_path / "last.jsonl"
    path.write_text("".join(lines), encoding="utf-8")
    found = read_record(path)
    assert (found.name, [row.key for row in found.rows]) == (str(path), ["a"])
    assert is_record(lines[0].encode())


def test_a_broken_line_is_told_and_the_others_are_kept(tmp_path: Path) -> None:
    """A line that was cut, one of another type and one without a case are problems with line and reason."""
    path = written(tmp_path, run("r", [good("a"), good("b")]))
    text = path.read_text(encoding="utf-8")
    path.write_text(text + '[]\n{"test": "t", "case": 7}\n{"schema": 1, "te', encoding="utf-8")
    found = read_record(path)
    assert [row.key for row in found.rows] == ["a", "b"]
    assert found.problems == (
        f"{path}: line 4: expected an object, got list of 0; the row is left out",
        f"{path}: line 5: the field 'case' must be text, got 7; the row is left out",
        f"{path}: line 6: it is not JSON and is incomplete: writing was interrupted; the row is left out",
    )


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"planguard": "run", "format": 99}\n', "record format 99, and this planguard reads 1"),
        (b"not a run\n", "it is not a run record: line 1: it is not JSON"),
        (b"\xff\xfe\n", "it is not a run record"),
        (b"[" * 100_000 + b"\n", "it is not a run record"),
        (b'{"schema": 2, "case": "a", "test": "t"}\n', "row schema 2, and this planguard reads 1"),
        (b'{"planguard": "run", "format": 1, "packages": 3}\n', "'packages' must be an object, got 3"),
    ],
)
def test_what_is_no_record_is_refused_with_a_reason(tmp_path: Path, content: bytes, said: str) -> None:
    """Another format, another file, and hostile content end in one clear message."""
    path = tmp_path / "run.jsonl"
    path.write_bytes(content)
    with pytest.raises(RunError) as error:
        read_record(path)
    assert said in str(error.value)
    assert str(error.value).startswith(str(path))


def test_a_missing_file_is_one_message(tmp_path: Path) -> None:
    """The message names the file and what to do."""
    with pytest.raises(RunError, match=r"none\.jsonl: the run cannot be read: No such file or directory\. Check"):
        read_record(tmp_path / "none.jsonl")


def test_what_nobody_judged_stays_unjudged(tmp_path: Path) -> None:
    """A plain output without a contract is neither valid nor invalid after reading it back."""
    row = CaseRow("a", "a.json", judged=(Judged((attempt("{}"),), "", ok=True, single=True),))
    (found,) = read_record(written(tmp_path, run("r", [row]))).rows
    assert not found.is_judged
    assert found == row


def test_a_row_says_what_may_be_unknown() -> None:
    """Every field that is not known is null in the record, so that a reader need not guess."""
    (_, line) = run_lines(run("r", [CaseRow("a", "t")]))
    data = json.loads(line)
    assert {name for name, value in data.items() if value is None} == {
        "inputs", "line", "model", "variant", "prompt", "cassette", "result", "outcome", "rerecord", "cost",
        "latency_s", "gave_up", "rekey", "samples", "live_check",
    }  # fmt: skip
