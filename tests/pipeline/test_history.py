"""What each model did at each task, as a run's folder tells it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.errors import RunError
from pytest_planguard.pipeline.history import AttemptHistory, LoggedError, read_logged_error
from pytest_planguard.pipeline.matrix import AttemptRecord, Cell, matrix_of, merged, read_matrix, write_matrix
from pytest_planguard.statistics import Rate, wilson

from ..support.nightly import drawn
from ..support.one_item import in_one_item

WRITER = """
import sys
from pytest_planguard.pipeline.history import AttemptRecord, AttemptHistory

history, number = AttemptHistory(sys.argv[1]), int(sys.argv[2])
for n in range(1000):
    result = ("pass", "fail:missing", "fail:schema_echo", "error:transport")[n % 4]
    history.append(AttemptRecord(f"Task{n % 7}", f"model-{number}", result, float(n)))
"""
RECORDS = st.lists(
    st.builds(
        AttemptRecord,
        st.sampled_from(["Select", "Expert"]),
        st.sampled_from(["a", "b", "c/ü"]),
        st.sampled_from(["pass", "fail:missing", "fail:schema_echo", "error:transport", "error:auth"]),
        st.integers(0, 2_000_000_000).map(float),
    )
)


@pytest.mark.slow
def test_many_processes_lose_nothing(tmp_path: Path) -> None:
    """A thousand attempts of each of many processes at once, and the matrix in the file equals its derivation."""
    many = len(drawn(range(20), 4))
    path = tmp_path / "attempts.jsonl"
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(path), str(n)]) for n in range(many)]
    assert [writer.wait(timeout=300) for writer in writers] == [0] * many
    records, malformed = AttemptHistory(path).read()
    assert (len(records), malformed) == (many * 1_000, 0)
    assert Counter(record.model for record in records) == {f"model-{n}": 1_000 for n in range(many)}
    matrix = matrix_of(records)
    assert sum(cell.attempts for row in matrix.values() for cell in row.values()) == many * 750
    AttemptHistory(path).write_matrix(tmp_path / "model_task_matrix.json")
    assert read_matrix(tmp_path / "model_task_matrix.json") == matrix


def test_a_line_that_a_killed_process_left_is_passed_over(tmp_path: Path) -> None:
    """A line that a killed process left is passed over."""
    history = AttemptHistory(tmp_path)
    first, second = AttemptRecord("T", "m", "pass", 1.0), AttemptRecord("T", "m", "fail:prose", 2.0)
    history.append(first)
    with history.path.open("ab") as file:
        file.write(b'{"task": "T", "mod')
    history.append(second)
    assert history.read() == ((first, second), 1)


def test_a_history_that_is_not_there_is_empty(tmp_path: Path) -> None:
    """A history that is not there is empty."""
    assert AttemptHistory(tmp_path / "none.jsonl").read() == ((), 0)


def test_a_history_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """A history that cannot be written is named."""
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(RunError, match=r"cannot be written: got .*; make its folder writable$"):
        AttemptHistory(tmp_path / "file" / "attempts.jsonl").append(AttemptRecord("T", "m", "pass", 1.0))


@given(st.lists(RECORDS, max_size=4))
def test_matrices_add_up(parts: list[list[AttemptRecord]]) -> None:
    """Several histories say together what one of all their records says, but for the order in time."""
    both, whole = merged(map(matrix_of, parts)), matrix_of(record for part in parts for record in part)
    counts = [
        {
            (model, task): (cell.passed, dict(cell.failed), cell.last_seen)
            for model, row in matrix.items()
            for task, cell in row.items()
        }
        for matrix in (both, whole)
    ]
    assert counts[0] == counts[1]


def test_the_latest_result_is_the_state_of_merged_matrices() -> None:
    """Whatever the order of the files; where nobody knows the time, the last one counts."""
    old, new = Cell("pass", 1, {}, 5.0), Cell("fail:prose", 0, {"prose": 1}, 9.0)
    for cells in ((old, new), (new, old)):
        assert merged({"m": {"T": cell}} for cell in cells)["m"]["T"] == Cell("fail:prose", 1, {"prose": 1}, 9.0)
    unknown = [Cell("pass", 1), Cell("fail:prose", 0, {"prose": 1})]
    assert merged({"m": {"T": cell}} for cell in unknown)["m"]["T"].state == "fail:prose"


@given(RECORDS)
def test_the_matrix_counts_every_verdict_and_nothing_else(
    tmp_path_factory: pytest.TempPathFactory, made: list[AttemptRecord]
) -> None:
    """A lost connection is no verdict on a model; the file gives back the same matrix."""
    matrix = matrix_of(made)
    for model, row in matrix.items():
        for task, cell in row.items():
            own = [r for r in made if (r.model, r.task) == (model, task) and not r.result.startswith("error:")]
            assert (cell.attempts, cell.state) == (len(own), own[-1].result)
            assert cell.last_seen == (max(r.at for r in own) or None)  # 0 is a time that nobody knows
    path = tmp_path_factory.mktemp("matrix") / "model_task_matrix.json"
    write_matrix(path, matrix)
    assert read_matrix(path) == matrix


@given(st.integers(0, 500), st.integers(0, 500))
def test_the_interval_is_that_of_the_comparison_of_runs(passed: int, failed: int) -> None:
    """The interval is that of the comparison of runs."""
    total = passed + failed
    assert wilson(passed, total) == Rate(passed, total).interval


@pytest.mark.parametrize("at", [1e300, -1e300, float("inf"), float("nan")])
def test_a_time_that_no_calendar_has_is_unknown(tmp_path: Path, at: float) -> None:
    """Any process may append it, and the counts are written."""
    path = tmp_path / "model_task_matrix.json"
    write_matrix(path, matrix_of([AttemptRecord("A", "m", "pass", at)]))
    assert read_matrix(path) == {"m": {"A": Cell("pass", 1)}}


def test_the_matrix_of_the_proposal_is_read(tmp_path: Path) -> None:
    """The matrix of the proposal is read."""
    path = tmp_path / "model_task_matrix.json"
    path.write_text(json.dumps({"m": {"A": "pass", "B": "fail:schema_echo", "C": "unknown"}}), "utf-8")
    assert read_matrix(path) == {"m": {"A": Cell("pass"), "B": Cell("fail:schema_echo"), "C": Cell()}}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", r"is not JSON: Expecting value.*; name a model_task_matrix\.json$"),
        ("[]", r"the file is \[\] and not an object; expected \{"),
        ('{"m": {"A": "good"}}', r'`A` of `m` is "good"; expected \{'),
        ('{"m": {"A": {"state": "pass", "failed": [1]}}}', "`A` of `m` has counts or a time of another type"),
        ('{"m": {"A": {"state": "pass", "passed": null}}}', "`A` of `m` has counts or a time of another type"),
        ('{"m": {"A": {"state": "pass", "passed": 1e999}}}', "`A` of `m` has counts or a time of another type"),
        ('{"m": {"A": {"state": "pass", "passed": "x"}}}', "`A` of `m` has counts or a time of another type"),
        ('{"m": {"A": {"state": "pass", "passed": 1e300}}}', "`A` of `m` has a count below 0 or above a trillion"),
        ('{"m": {"A": {"state": "pass", "passed": -1}}}', "`A` of `m` has a count below 0 or above a trillion"),
        ('{"m": {"A": {"failed": {"schema": 1e12}}}}', "`A` of `m` has a count below 0 or above a trillion"),
        ('{"m": {"A": {"state": "pass", "last_seen": "x"}}}', "`A` of `m` has counts or a time of another type"),
        ('{"m": {"A": {}}}', "`A` of `m` is null; expected"),
        ('{"version": 1}', "`models` is missing and not an object"),
        ('{"m": 1}', "`m` is 1 and not an object"),
    ],
)
def test_a_file_that_is_no_matrix_is_named(tmp_path: Path, text: str, told: str) -> None:
    """The message has the place, what it has there, and the shape of a matrix."""
    path = tmp_path / "model_task_matrix.json"
    path.write_text(text, "utf-8")
    with pytest.raises(RunError, match=told):
        read_matrix(path)


# The kinds of logged errors, held to a table.

KINDS = {
    "timeout": "transport",
    "http": "auth",
    "empty_output": "empty",
    "json:truncated(EOF)": "truncated",
    "json:syntax": "invalid_json",
    "no_json(prose)": "prose",
    "schema_echo": "schema_echo",
    "validation:missing": "missing",
    "validation:too_short": "length",
    "validation:too_long": "length",
    "validation:value_error": "rule",
    "config(not an LLM failure)": "none",
}
"""Category of a published failure to its kind; written before the reader was."""
BROKEN_JSON_LABELLED_PROSE = 2
"""Errors that show an answer which begins with "{": the reader calls it broken JSON, its label prose."""


def expected(category: str, kinds: dict[str, str]) -> FailureKind | None:
    """The kind of a category. Syntax errors are labelled with what the parser expected."""
    name = category.partition("(")[0] if category.startswith("json:syntax") else category
    return None if kinds[name] == "none" else FailureKind(kinds[name])


def test_the_59_published_failures(shared_data: Path) -> None:
    """At least 95 % of the kinds agree with the label; each that does not is explained."""
    cases = json.loads((shared_data / "failures" / "planexe_failures.json").read_text("utf-8"))["cases"]
    kinds = KINDS
    misses = []
    for case in cases:
        read = read_logged_error(case["error"])
        if read is None or read.kind is not expected(case["category"], kinds):
            misses.append((case["category"], None if read is None else read.kind))
    assert len(cases) == 59
    assert misses == [("no_json(prose)", FailureKind.INVALID_JSON)] * BROKEN_JSON_LABELLED_PROSE
    assert 1 - len(misses) / len(cases) >= 0.95
    assert sum(case["category"].startswith("config") for case in cases) == 5


@in_one_item
@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("failed: ReadTimeout('timed out')", "transport"),
        ("APIConnectionError('Connection error.')", "transport"),
        ('RateLimitError("Error code: 429 - slow down")', "transport"),
        ('AuthenticationError("Error code: 401 - no")', "auth"),
        ("ValueError('Could not extract json string from output: ')", "empty"),
        ("ValueError('Could not extract json string from output: Sure!')", "prose"),
        ("Invalid JSON: EOF while parsing a list [type=json_invalid, input_value='{', input_", "truncated"),
        ("Invalid JSON: expected `:` [type=json_invalid, input_value='{', input_type=str]", "invalid_json"),
        ("a\n  Field required [type=missing, input_value={'b': 1}, input_type=dict]", "missing"),
        ("a\n  Field required [type=missing, input_value={'$defs': {'L...}, input_type=dict]", "schema_echo"),
        ("a\n  Value error, no [type=value_error, input_value='x', input_type=str]", "rule"),
        ("a\n  Input should be a valid string [type=string_type, input_value=1, input_type=int]", "type"),
        ("a\n  Input should be less than 3 [type=less_than, input_value=4, input_type=int]", "range"),
        ("a\n  String should match pattern [type=string_pattern_mismatch, input_value='x'", "format"),
        ("a\n  List should have at most 7 items [type=too_long, input_value=[1], input_type=list]", "length"),
    ],
)  # fmt: skip
def test_the_words_of_a_log(text: str, kind: str) -> None:
    """Each with the piece that says so."""
    read = read_logged_error(text)
    assert read is not None
    assert read.kind is FailureKind(kind)
    assert read.evidence
    assert read.evidence in text


def test_what_is_no_failure_of_a_model() -> None:
    """A call that was never made, and words that nobody knows."""
    config = read_logged_error("ValueError(\"Cannot create LLM, the llm_name 'x' is not found\")")
    assert config == LoggedError(None, "Cannot create LLM, the llm_name")
    assert config.result == "error:config"
    assert LoggedError(FailureKind.AUTH, "x").result == "error:auth"
    assert LoggedError(FailureKind.MISSING, "x").result == "fail:missing"
    assert read_logged_error("the disk is full") is None
    assert read_logged_error("a test named Timeout in prose") is None
