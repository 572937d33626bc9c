"""The marker's `cases` and `min_score`, and `planguard.expect`: right, not only well-formed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_planguard.runs.snapshots import PendingStore
from pytest_planguard.testing.example import Example, Run

from ...support.warm import WarmExample

INVOICE = """
from pydantic import BaseModel
from pytest_planguard import Contract, near, same_items

class Invoice(BaseModel):
    number: str
    total: float
    level: str = "low"
    tags: list[str] = []

INVOICE = Contract(Invoice, compare={"total": near(0.01), "tags": same_items()})
"""
CASES: list[dict[str, object]] = [
    {
        "name": "one",
        "input": {"number": "A-1", "total": 10.001},
        "expected": {"number": "A-1", "total": 10},
        "tags": ["quick"],
    },
    {
        "name": "two",
        "input": {"number": "A-9", "total": 5},
        "expected": {"number": "A-2", "total": 5},
        "tags": ["slow-one"],
    },
    {"input": {"number": "A-3", "total": 1}},
]
CHECKED = """
import pytest
from invoice import INVOICE

@pytest.mark.planguard(INVOICE, cases="cases.jsonl"{more})
def test_invoice(planguard, planguard_case):
    planguard.check(planguard_case.input)
"""


def run(example: Example, *arguments: str) -> Run:
    """Run the tests of a project."""
    return example.run_pytest(*arguments)


def project(test: str, cases: list[dict[str, object]] | None = None) -> Example:
    """A test module beside the contract and the cases."""
    lines = "".join(json.dumps(case) + "\n" for case in (CASES if cases is None else cases))
    return WarmExample({"test_it.py": test, "invoice.py": INVOICE, "cases.jsonl": lines})


def test_the_last_good_answer_is_compared_by_itself() -> None:
    """One item a line; a wrong value is named with its place, and a case without an expected value is no comparison."""
    done = run(project(CHECKED.format(more="")))
    assert dict(done.outcomes) == {"passed": 2, "failed": 1}
    assert "test_it.py::test_invoice[two]" in done.output
    assert "planguard: Invoice: 1 value is not as expected: score 0.50, at least 1 is needed" in done.output
    assert '  number: expected "A-2"; got "A-9"' in done.output


def test_min_score_says_what_is_enough() -> None:
    """The bound itself is enough."""
    assert dict(run(project(CHECKED.format(more=", min_score=0.5"))).outcomes) == {"passed": 3}
    assert dict(run(project(CHECKED.format(more=", min_score=0.51"))).outcomes) == {"passed": 2, "failed": 1}


@pytest.mark.parametrize(
    ("arguments", "passed"),
    [(("-m", "quick"), ["one"]), (("-k", "one and not two"), ["one"]), (("-k", "slow-one"), ["two"])],
)
def test_names_and_tags_select_cases(arguments: tuple[str, ...], passed: list[str]) -> None:
    """Names by `-k`, tags by `-m`, with strict markers too; a tag that is no identifier by `-k`."""
    test = CHECKED.format(more=", min_score=0")
    done = run(project(test), *arguments, "--strict-markers", "-rA")
    assert [line for line in done.output.splitlines() if line.startswith("PASSED")] == [
        f"PASSED test_it.py::test_invoice[{name}]" for name in passed
    ]


def test_a_tag_does_not_act_as_a_mark_that_pytest_knows() -> None:
    """A case tagged "skip" is run."""
    assert dict(run(project(CHECKED.format(more=""), [{**CASES[0], "tags": ["skip", "xfail"]}])).outcomes) == {
        "passed": 1
    }


def test_expect_in_a_test_with_several_answers() -> None:
    """The test says which is compared with what; each has to reach the bound, and the end of the test decides."""
    test = """
import pytest
from invoice import INVOICE

@pytest.mark.planguard(INVOICE)
def test_two(planguard):
    good = planguard.expect('{"number": "A-1", "total": 1, "tags": ["a", "b"]}', {"number": "A-1", "tags": ["b", "a"]})
    bad = planguard.expect('{"number": "A-2", "total": 1}', {"number": "A-1", "tags": ["a"]})
    assert (good.total, bad.total) == (1.0, 0.0)
    print("reached the end")
"""
    done = run(project(test))
    assert dict(done.outcomes) == {"failed": 1}
    assert "reached the end" in done.output
    assert "2 values are not as expected: score 0.00" in done.output
    assert '  tags: expected an item "a"; the list has none' in done.output


def test_an_answer_that_breaks_its_contract_is_no_wrong_value() -> None:
    """What is wrong is the contract's to say."""
    done = run(project(CHECKED.format(more=""), [{"name": "bad", "input": {"number": 1}, "expected": {"number": "A"}}]))
    assert dict(done.outcomes) == {"failed": 1}
    assert "not as expected" not in done.output
    assert "expected a string; got 1" in done.output


@pytest.mark.parametrize(
    ("test", "cases", "message"),
    [
        (CHECKED.format(more=""), [{"inputs": 1}], "cases.jsonl:1: a case has no member 'inputs'"),
        (
            CHECKED.format(more="").replace("cases.jsonl", "no.jsonl"),
            None,
            "no.jsonl: the file of cases cannot be read",
        ),
        (CHECKED.format(more=", min_score=2"), None, "min_score=2: expected a score from 0 to 1"),
        (
            CHECKED.format(more="").replace(', cases="cases.jsonl"', ""),
            None,
            'the fixture planguard_case needs cases: @pytest.mark.planguard(CONTRACT, cases="cases.jsonl")',
        ),
    ],
)
def test_wrong_uses(test: str, cases: list[dict[str, object]] | None, message: str) -> None:
    """Named with the place and the way out."""
    done = run(project(test, cases))
    assert "passed" not in done.outcomes
    assert message in done.output
    assert "cases.py" not in done.output  # no frame of ours


def test_a_wrong_value_waits_for_review_until_it_is_right(tmp_path: Path) -> None:
    """A test that fails leaves old and new by field; accepted, its next run passes, and nothing waits any more."""
    example = run(project(CHECKED.format(more=""))).example
    example.write(tmp_path)
    store = PendingStore(tmp_path)
    (waiting,) = store.all()
    assert (waiting.path, waiting.case) == ("cases.jsonl", "two")
    assert "number: A-2 → A-9" in waiting.rows
    store.accept(waiting)
    store.keep(waiting)
    pending = store.file(waiting.path, waiting.case).relative_to(tmp_path).as_posix()
    accepted = {path: (tmp_path / path).read_text(encoding="utf-8") for path in ("cases.jsonl", pending)}
    again = run(example.with_files(accepted))
    assert dict(again.outcomes) == {"passed": 3}
    assert pending not in again.example.paths(".json")


DRIVEN = """
import pytest
from invoice import INVOICE

def asker(sent):
    answers = iter(['{"number": 1}', '{"number": "A-9", "total": 10}', '{"number": "A-1", "total": 10}'])
    def ask(messages):
        sent.append(messages)
        return next(answers)
    return ask

@pytest.mark.planguard(INVOICE, cases="cases.jsonl")
def test_told(planguard, planguard_case):
    sent = []
    assert planguard.converge(asker(sent), "which invoice?", reveal_expected=True).number == "A-1"
    assert len(sent) == 3
    assert 'number: expected "A-1"; got "A-9"' in sent[2][-1]["content"]

@pytest.mark.planguard(INVOICE, cases="cases.jsonl")
def test_not_told(planguard, planguard_case):
    sent = []
    assert planguard.converge(asker(sent), "which invoice?").number == "A-9"
    assert "A-1" not in str(sent)

@pytest.mark.planguard(INVOICE, cases="cases.jsonl", max_attempts=2)
def test_told_in_vain(planguard, planguard_case):
    planguard.converge(asker([]), "which invoice?", reveal_expected=True)

@pytest.mark.planguard(INVOICE)
def test_nothing_to_tell(planguard):
    planguard.converge(asker([]), "which invoice?", reveal_expected=True)
"""


def test_only_a_loop_that_may_know_is_fed_what_was_expected() -> None:
    """With `reveal_expected` a wrong value is asked again with what was expected; without it no request says it."""
    done = run(project(DRIVEN, CASES[:1]))
    lines = done.example.read(".planguard/last.jsonl").splitlines()[1:]
    rows = {row["test"].partition("::")[2]: row for row in map(json.loads, lines)}
    found = {test: (row["result"], [score["total"] for score in row["expected"]]) for test, row in rows.items()}
    assert found == {
        "test_told[one]": ("passed", [1.0]),
        "test_not_told[one]": ("failed", [0.5]),
        "test_told_in_vain[one]": ("failed", [0.5]),
        "test_nothing_to_tell": ("failed", []),
    }
    assert "Invoice: 1 value is not as expected: score 0.50, at least 1 is needed" in done.output
    assert "reveal_expected=True needs a labelled case with an expected value: got none" in done.output
