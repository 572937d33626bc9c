"""What retries lost: the finding, the answer that it is about, and the request that lacks it."""

from dataclasses import replace

from pytest_planguard.report.run.lost_text import lost_answers, lost_text
from pytest_planguard.runs.model.judged_answers import CarriedRow
from pytest_planguard.runs.model.run import CaseRow

from ...support.runs import attempt, case, finding, good, lost


def dropped() -> CaseRow:
    """A case whose second request carries one of two findings."""
    first = attempt("first", finding("enum", ("priority",), "expected low\x1b"), finding("missing", ("steps",)))
    carried = (
        CarriedRow("enum", ("priority",), "lost", reason="no word of it"),
        CarriedRow("missing", ("steps",), "weak"),
    )
    return case("a", replace(first, carried=carried), attempt("second"))


def test_a_finding_is_named_with_its_message_and_its_request() -> None:
    """What is missing, from which request, about which answer; what is carried is left out."""
    assert list(lost_text(dropped())) == [
        "request 2 does not say what was wrong with answer 1:",
        "  priority [enum]: expected low\\x1b",
    ]
    assert list(lost_answers(dropped())) == [("answer 1", "first")]


def test_a_retry_that_got_no_answer_is_told_as_kept() -> None:
    """Where all feedback was lost no answer is served: the miss says it, and the answer before it is the one."""
    row = lost("a", finding("enum", ("priority",)))
    assert list(lost_text(row)) == [
        "lost feedback: the retry carries no finding of the attempt before it",
        "  sent: POST /v1",
    ]
    assert list(lost_answers(row)) == [("answer 1", '{"a": "bad"}')]


def test_nothing_is_said_where_nothing_is_lost() -> None:
    """A good case has neither lines nor answers, and a retry that carries everything has none either."""
    first = replace(attempt("first", finding("enum", ("p",))), carried=(CarriedRow("enum", ("p",), "verbatim"),))
    for row in (good("a"), case("b", first, attempt("second"))):
        assert (list(lost_text(row)), list(lost_answers(row))) == ([], [])
