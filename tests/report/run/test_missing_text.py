"""What retries dropped: the finding, the answer that it is about, and the request that lacks it."""

from dataclasses import replace

from pytest_planguard.report.conversation import missing_text, unheeded_answers
from pytest_planguard.runs.model.judged_answers import FedBackRow
from pytest_planguard.runs.model.run import CaseRow

from ...support.runs import attempt, case, finding, good, missing


def dropped() -> CaseRow:
    """A case whose second request feeds back one of two findings."""
    first = attempt("first", finding("enum", ("priority",), "expected low\x1b"), finding("missing", ("steps",)))
    fed_back = (
        FedBackRow("enum", ("priority",), "missing", reason="no word of it"),
        FedBackRow("missing", ("steps",), "weak"),
    )
    return case("a", replace(first, fed_back=fed_back), attempt("second"))


def test_a_finding_is_named_with_its_message_and_its_request() -> None:
    """What is missing, from which request, about which answer; what is fed back is left out."""
    assert list(missing_text(dropped())) == [
        "request 2 does not say what was wrong with answer 1:",
        "  priority [enum]: expected low\\x1b",
    ]
    assert list(unheeded_answers(dropped())) == [("answer 1", "first")]


def test_a_retry_that_got_no_answer_is_told_as_kept() -> None:
    """Where all feedback was missing no answer is served: the miss says it, and the answer before it is the one."""
    row = missing("a", finding("enum", ("priority",)))
    assert list(missing_text(row)) == [
        "missing feedback: the retry feeds back no finding of the attempt before it",
        "  sent: POST /v1",
    ]
    assert list(unheeded_answers(row)) == [("answer 1", '{"a": "bad"}')]


def test_nothing_is_said_where_nothing_is_lost() -> None:
    """A good case has neither lines nor answers, and a retry that feeds back everything has none either."""
    first = replace(attempt("first", finding("enum", ("p",))), fed_back=(FedBackRow("enum", ("p",), "verbatim"),))
    for row in (good("a"), case("b", first, attempt("second"))):
        assert (list(missing_text(row)), list(unheeded_answers(row))) == ([], [])
