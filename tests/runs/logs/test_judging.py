"""One group of logged calls judged: what is counted, which rows are listed, and what no log can show."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from pytest_planguard.errors import UsageError
from pytest_planguard.runs.logs.judging import LogJudge, judge_logs
from pytest_planguard.runs.logs.summary import LogSummary
from pytest_planguard.runs.model.codec import read_row
from pytest_planguard.runs.model.run import CaseRow
from pytest_planguard.runs.prices import Price, Prices
from pytest_planguard.wire.logs.logged import Fidelity, Logged

from ...support.one_item import in_one_item
from ...wire.logs.forms import AT, BAD, FEEDBACK, GOOD, litellm, request, response
from .judges import TICKET

JUDGE = LogJudge((TICKET,), rows="all")
UNSENT = "the log has the framework's own messages, not the words that were sent"


def call(attempt: int, feedback: str = FEEDBACK, **other: Any) -> Logged:
    """One of the two calls of a conversation."""
    given = {"at": AT + attempt, "fidelity": Fidelity.WIRE, "place": f"a.jsonl:{attempt}", **other}
    return Logged(f"c{attempt}", request=request(attempt, feedback), response=response(attempt), **given)


def judged(*parts: Logged, judge: LogJudge = JUDGE) -> LogSummary:
    """The summary of one group."""
    found = LogSummary()
    judge.group("g", parts, found)
    found.close()
    return found


def rows(found: LogSummary) -> list[CaseRow]:
    """The rows that are listed."""
    return [read_row(CaseRow, one.row.encode()) for one in found.listed]


def test_a_conversation_is_counted_with_all_that_it_shows() -> None:
    """Its end, its checks, its rules, and its figures by model, prompt, contract and day."""
    found = judged(call(1, "no"), call(2, "no"))
    values = {key: value for key, value in found.values().items() if value}
    figures = {
        "conversations": 1, "ok": 0, "first_ok": 0, "attempts": 2, "input_tokens": 100, "output_tokens": 40,
        "unpriced": 2, "cost": None,
    }  # fmt: skip
    assert values == {
        "calls": 2,
        "groups": 1,
        "conversations": 1,
        "retries": 1,
        "fidelity": {"wire": 2},
        "outcomes": {"converged": 1},
        "kinds": {"enum": 1},
        "checks_failed": {"feedback": 1},
        "grades": {"missing": 2},
        "valid_at": {"2": 1},
        "broken": {"check:feedback": 1},
        "by": {
            "model": {"gpt-5-mini": figures},
            "prompt": {"e138b29e67f7": figures},
            "contract": {"Ticket": figures},
            "day": {"2026-11-22": figures},
        },
    }
    assert (found.bad, found.judgeable) == (1, 2)


def test_a_good_first_answer_is_counted_as_such() -> None:
    """Alone it needs no retry."""
    found = judged(Logged("c", request=request(1), response=response(2), fidelity=Fidelity.WIRE))
    (figures,) = found.values()["by"]["model"].values()
    assert (found.ok, found.retries, found.valid_at) == (1, 0, {1: 1})
    assert (figures["ok"], figures["first_ok"]) == (1, 1)


def test_what_a_framework_logs_shows_nothing_of_the_words_that_were_sent() -> None:
    """Grades and checks that need them are not judged, and have no evidence; the answers are judged."""
    (row,) = rows(judged(*(call(n, "no", fidelity=Fidelity.DERIVED) for n in (1, 2))))
    (conversation,) = row.judged
    assert (row.fidelity, conversation.ok) == ("derived", True)
    assert [(check.name, check.status, check.message, check.evidence) for check in conversation.checks] == [
        (name, "not judged", UNSENT, ())
        for name in ("feedback", "fresh", "addressed", "clean", "task_kept", "accounted", "copied")
    ]
    first = conversation.attempts[0]
    assert [(one.grade, one.how, one.evidence, one.reason, one.reason_code) for one in first.fed_back] == [
        ("not judged", None, None, UNSENT, None)
    ] * 2
    assert rows(judged(call(1, "no"), call(2, "no")))[0].judged[0].checks[0].evidence != ()


def test_a_row_has_the_place_the_model_and_the_first_request() -> None:
    """The place is the group if the record has none; the model is that of the last call."""
    (row,) = rows(judged(call(1), call(2)))
    assert (row.key, row.test, row.model, row.prompt) == (
        "Ticket/e138b29e67f7",
        "a.jsonl:1",
        "gpt-5-mini",
        "e138b29e67f7",
    )
    assert (row.contracts, row.judged[0].name, row.fidelity) == ((("Ticket", TICKET.digest),), "g", "wire")
    assert [said.text for said in row.asked] == ["Write a ticket.", "the printer is on fire"]
    (row,) = rows(judged(call(2, place="")))
    assert row.test == "log:g"


@pytest.mark.parametrize(("rows", "good", "bad"), [("all", 1, 1), ("bad", 0, 1), ("none", 0, 0)])
def test_which_conversations_are_listed(rows: Any, good: int, bad: int) -> None:
    """Those that a user asks for; all are counted."""
    judge = replace(JUDGE, rows=rows)
    for words, listed in ((FEEDBACK, good), ("no", bad)):
        found = judged(call(1, words), call(2, words), judge=judge)
        assert (len(found.listed), found.conversations) == (listed, 1)


def test_the_worst_conversation_is_listed_first() -> None:
    """Lost feedback outweighs errors, and a good conversation comes last; then the ids decide."""
    found = LogSummary()
    for key, words in (("good", FEEDBACK), ("lost", "no")):
        JUDGE.group(key, [call(1, words), call(2, words)], found)
    JUDGE.group("bad", [call(1)], found)
    JUDGE.group("also bad", [call(1)], found)
    found.close()
    assert [one.order for one in found.listed] == [
        (0, -202, "lost:c1"),
        (0, -2, "also bad:c1"),
        (0, -2, "bad:c1"),
        (1, -2, "good:c1"),
    ]


def test_calls_that_cannot_be_judged_are_counted_by_what_they_lack() -> None:
    """In the log's words, if it has some."""
    found = judged(
        Logged("a", fidelity=Fidelity.PARTIAL, why="the answer was cut"), Logged("b", fidelity=Fidelity.NONE)
    )
    assert found.unjudgeable == {"the answer was cut": 1, "not captured": 1}
    assert (found.calls, found.judgeable, found.fidelity) == (2, 0, {"partial": 1, "none": 1})


def test_an_end_that_was_not_logged_is_not_known() -> None:
    """A bad conversation may go on in a later call of its group that was not logged whole. A good one has ended."""
    lost = Logged("x", at=AT + 9, fidelity=Fidelity.PARTIAL)
    why = "a later call of its group was not logged whole, so how its conversation ended is not known"
    found = judged(call(1), lost)
    assert (found.conversations, found.unjudgeable) == (0, {"not captured": 1, why: 1})
    assert judged(call(1), replace(lost, at=AT)).conversations == 1
    assert judged(call(1), replace(lost, at=AT + 1)).conversations == 0
    assert judged(call(1), call(2), lost).ok == 1


def test_a_conversation_may_begin_before_the_log() -> None:
    """Its first request quotes a rejected answer. A good answer in it is an example, and other text is neither."""

    def begins_late(answer: str, role: str = "assistant") -> bool:
        said = [{"role": role, "content": answer}, {"role": "user", "content": "again"}]
        asked = {"model": "m", "messages": said}
        found = judged(Logged("c", request=asked, response=response(2), fidelity=Fidelity.WIRE))
        (figures,) = found.values()["by"]["model"].values()
        assert (figures["first_ok"], found.valid_at.total()) == ((0, 0) if found.begin_late else (1, 1))
        return found.begin_late == 1

    assert begins_late(BAD)
    assert not begins_late(GOOD)
    assert not begins_late("Sure!")
    assert not begins_late(BAD, "user")


@in_one_item
@pytest.mark.parametrize(
    ("at", "day"),
    [
        (0, "(unknown)"), (-1, "(unknown)"), (1, "1970-01-01"), (86_400 * 10**9 - 1, "1970-01-01"),
        (86_400 * 10**9, "1970-01-02"), (4 * 10**18 - 1, "2096-10-02"), (4 * 10**18, "(unknown)"),
    ],
)  # fmt: skip
def test_the_day_of_a_conversation(at: int, day: str) -> None:
    """A time in another unit is no time."""
    assert [*judged(call(2, at=at)).values()["by"]["day"]] == [day]


def test_the_model_of_a_call_may_stand_in_the_log_alone() -> None:
    """Else it is unknown."""
    said = {"messages": request(1)["messages"]}
    answered = {key: value for key, value in response(2).items() if key != "model"}
    bare = Logged("c", request=said, response=answered, fidelity=Fidelity.WIRE)
    assert [*judged(bare).values()["by"]["model"]] == ["(unknown)"]
    assert [row.model for row in rows(judged(bare))] == [None]
    assert [*judged(replace(bare, model="small")).values()["by"]["model"]] == ["small"]
    assert [row.model for row in rows(judged(replace(bare, model="small")))] == ["small"]


def test_the_cost_is_that_of_the_answers_with_a_price() -> None:
    """In billionths, rounded once for each answer; those without a price are counted."""
    priced = replace(JUDGE, prices=Prices({"gpt-5-mini": Price(1.0, 2.0)}))
    found = judged(call(1), call(2), judge=priced)
    figures = found.by["model:gpt-5-mini"]
    assert (figures.cost_nano, figures.unpriced) == (180_000, 0)
    assert found.values()["by"]["model"]["gpt-5-mini"]["cost"] == 0.00018
    named = {"prices": Prices({"small": Price(1.0, 2.0)})}
    assert judged(call(1), call(2), judge=replace(JUDGE, **named)).by["model:gpt-5-mini"].unpriced == 2


def test_lines_are_judged_by_the_given_contracts_and_grouped_as_asked() -> None:
    """A blank line is none, and one that is no JSON is counted."""
    line = json.dumps({**litellm(FEEDBACK)[0], "metadata": {"job": "j1"}})
    found = judge_logs(["", " \n", line, "{"], contracts=[TICKET], group_by="metadata.job")
    assert (found.records, found.groups, found.conversations, found.unread.total()) == (1, 1, 1, 1)
    assert next(iter(found.unread)).startswith("it is not valid JSON: ")
    assert found.listed == []
    with pytest.raises(UsageError, match=r"^--group-by 'id:\(': the pattern is none: "):
        judge_logs([line], contracts=(), group_by="id:(")
