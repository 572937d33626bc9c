"""Run records: what is written is read back, and what is broken is told, not lost in silence."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.errors import RunError
from pytest_planguard.runs.model.judged_answers import Judged
from pytest_planguard.runs.model.run import CaseRow, Run, RunHeader
from pytest_planguard.runs.store.project_files import write_whole
from pytest_planguard.runs.store.run_file import is_record, read_record

from ...support.rows import ROWS
from ...support.runs import attempt, bad, good, run, run_lines


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
    path.write_text(text + '[]\n{"test": "t", "key": 7}\n{"key": "a", "te', encoding="utf-8")
    found = read_record(path)
    assert [row.key for row in found.rows] == ["a", "b"]
    assert found.problems == (
        f"{path}: line 4: input should be an object, got list of 0; the row is left out",
        f"{path}: line 5: key: input should be a valid string, got 7; the row is left out",
        f"{path}: line 6: it is not JSON and is incomplete: writing was interrupted; the row is left out",
    )


def test_many_broken_lines_are_counted(tmp_path: Path) -> None:
    """Twenty are named."""
    path = written(tmp_path, run("r", [good("a")]))
    text = path.read_text(encoding="utf-8")
    for more in (0, 1):
        path.write_text(text + "{\n" * (20 + more), encoding="utf-8")
        problems = read_record(path).problems
        assert problems[19] == f"{path}: line 22: it is not JSON; the row is left out"
        assert problems[20:] == (f"{path}: 1 more line cannot be read",) * more


def test_rows_are_sorted_by_case_variant_model_and_test(tmp_path: Path) -> None:
    """Whatever their order in the file; blank lines are none."""
    rows = [
        good("b"),
        good("a", variant="v", model="n"),
        good("a", variant="v", model="m"),
        good("a", model="z"),
        good("a"),
    ]
    path = written(tmp_path, Run(RunHeader("r"), tuple(rows)))
    path.write_text(path.read_text(encoding="utf-8").replace("\n", "\n\n"), encoding="utf-8")
    found = read_record(path, "named")
    assert (found.name, found.rows) == ("named", (rows[4], rows[3], rows[2], rows[1], rows[0]))


def test_a_line_that_is_known_is_not_parsed_again(tmp_path: Path) -> None:
    """Two runs share most of their lines; new ones are added."""
    path = written(tmp_path, run("r", [good("a"), good("b")]))
    lines = path.read_bytes().splitlines(keepends=True)
    known = {lines[1]: good("other")}
    assert [row.key for row in read_record(path, known=known).rows] == ["b", "other"]
    assert known[lines[2]] == good("b")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"planguard": "run", "schema": 99}\n', "record schema 99, and this planguard reads 1"),
        (b"not a run\n", "it is not a run record: line 1: it is not JSON"),
        (b"\xff\xfe\n", "it is not a run record"),
        (b"[" * 100_000 + b"\n", "it is not a run record"),
        (b'{"planguard": "run", "format": 1}\n', "record schema nothing, and this planguard reads 1"),
        (b'{"planguard": "run", "schema": 1, "name": "a", "packages": 3}\n', "the header: packages: input should be a"),
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
        "inputs", "line", "model", "variant", "for_model", "prompt", "cassette", "cassette_digest", "exchanges",
        "result", "outcome", "rerecord", "cost", "latency_s", "gave_up", "fidelity", "rekey", "samples", "live_check",
        "task",
    }  # fmt: skip
