"""The judgement: conversations, outcomes, checks and their messages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest

from pytest_planguard.contract.constraints.constraint import ContentConstraint
from pytest_planguard.contract.contract import Contract
from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding, Severity
from pytest_planguard.document.answer import Document
from pytest_planguard.document.path import Path
from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.retry.judging.judging_options import JudgeOptions
from pytest_planguard.retry.judging.step import StepKind
from pytest_planguard.retry.outcomes import CheckStatus, Firmness, Grade, Outcome
from pytest_planguard.retry.results import Convergence
from pytest_planguard.wire.exchange import Exchange, Item, ItemKind, Role, Usage

from ...support.conversations import (
    BAD,
    BROKEN,
    DIALECTS,
    ERRORS,
    GOOD,
    PLAN,
    SYSTEM,
    WORDINGS,
    Plan,
    Spoken,
    conversation,
    dialogue,
)
from ...support.conversations import injected as inject

FEEDBACK = WORDINGS["bullets, dotted"](ERRORS)
TASK = ("user", "Plan the release of version two")
BASE = [("system", SYSTEM), TASK]
FAIL, WARN, PASS = CheckStatus.FAIL, CheckStatus.WARN, CheckStatus.PASS


def one(exchanges: tuple[Exchange, ...], contract: Contract = PLAN, **options: object) -> Convergence:
    """The only conversation."""
    found = judge(exchanges, [contract], options=JudgeOptions(**options))  # type: ignore[arg-type]
    assert len(found.conversations) == 1, [c.conversation for c in found.conversations]
    return found.conversations[0]


def loop(*answers: str, feedback: str = FEEDBACK, finish: str = "stop", limit: int = 500) -> tuple[Exchange, ...]:
    """A dialogue that keeps its whole history."""
    turns, spoken = list(BASE), []
    for number, answer in enumerate(answers):
        spoken.append(
            Spoken(list(turns), answer, finish=finish if answer == BROKEN else "stop", seed=number, limit=limit)
        )
        turns += [("assistant", answer), ("user", feedback)]
    return conversation(*spoken)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("place", [dialogue, inject])
def test_a_good_retry_passes_every_check(dialect: str, place: object) -> None:
    """A correct client in any dialect converges, and no check fails or warns."""
    found = one(place(FEEDBACK, dialect=dialect))  # type: ignore[operator]
    assert found.outcome is Outcome.CONVERGED
    assert found.ok
    assert {c.name: c.message for c in found.checks if c.status in (FAIL, WARN, CheckStatus.NOT_JUDGED)} == {}
    assert {c.label for c in found.attempts[0].fed_back} == {Firmness.VERBATIM}


def test_a_lost_finding_is_named_with_the_place_that_was_searched() -> None:
    """The message says how many, the evidence which and where."""
    check = one(dialogue("- goal: Field required")).check("feedback")
    assert check.status is FAIL
    assert check.message == "attempt 2's request lacks 2 of 3 findings of attempt 1"
    assert check.evidence[0].startswith(
        'attempt 1, tasks[0].status: expected one of "Draft", "Approved"; got "pending"; '
    )
    assert check.evidence[0].endswith("Searched: message 4 of request 2")


@pytest.mark.parametrize("place", [f"{'9' * 5_000}[0].goal", f"tasks[{'9' * 5_000}].id", f"goal {'9' * 5_000}"])
def test_a_number_that_python_does_not_read_is_judged(place: str) -> None:
    """Python reads at most 4,300 digits. A request is hostile input, and names no item by such a number."""
    assert one(dialogue(f"{place}: is wrong")).check("feedback").status is FAIL


def test_a_blind_retry_loses_everything() -> None:
    """The classic bug: the retry sends the same prompt again."""
    found = one(conversation(Spoken(BASE, BAD), Spoken(BASE, GOOD, seed=2)))
    assert found.check("feedback").message == "attempt 2's request lacks 3 of 3 findings of attempt 1"
    assert found.check("feedback").evidence[0].endswith("Request 2 adds no message")
    assert found.check("fresh").status is PASS
    assert found.check("addressed").status is CheckStatus.NOT_APPLICABLE
    assert found.outcome is Outcome.CONVERGED
    assert not found.ok


def test_coverage_decides_how_many_findings_are_due() -> None:
    """The first finding alone is enough for "first" and "any"; another one only for "any"."""
    first, second = dialogue("- goal: Field required"), dialogue("- tasks[1].id: should be a valid integer")
    results = {
        (name, coverage): one(exchanges, coverage=coverage).check("feedback").status
        for name, exchanges in (("first", first), ("second", second))
        for coverage in ("all", "first", "any")
    }
    passed = [key for key, status in results.items() if status is PASS]
    assert sorted(passed) == [("first", "any"), ("first", "first"), ("second", "any")]


def test_a_stricter_weakest_grade_refuses_located_findings() -> None:
    """`weakest` says which evidence counts."""
    text = "\n".join(f"- {'.'.join(map(str, p))} [{code}]: no" for p, code, _ in ERRORS)
    assert one(dialogue(text)).check("feedback").status is PASS
    strict = one(dialogue(text), weakest=Firmness.VERBATIM).check("feedback")
    assert "found only as located: request 2, message 4" in strict.evidence[0]


def test_only_what_the_app_could_know_is_due() -> None:
    """A constraint behind schema errors need not be fed back by default, and does under `must_feed_back="contract"`."""
    contract = Contract(Plan, constraints=[ContentConstraint("goal", "min_length", {"chars": 9}, "retry")])
    bad = GOOD.replace("Ship the release", "ship").replace('"Draft"}]', '"Done"}]')
    exchanges = dialogue("- tasks[1].status: Input should be 'Draft' or 'Approved'", bad=bad)
    found = one(exchanges, contract)
    assert found.check("feedback").status is PASS
    assert [c.label for c in found.attempts[0].fed_back] in ([Firmness.VERBATIM], [Firmness.VERBATIM, Grade.NOT_JUDGED])


def test_stale_feedback_is_named() -> None:
    """Feedback about attempt 1 does not serve attempt 2."""
    second = GOOD.replace("Ship the release", "x")
    found = one(loop(BAD, second, GOOD))
    check = found.check("feedback")
    assert check.message == "attempt 3's request lacks 1 of 1 finding of attempt 2"
    assert any(
        line.startswith("request 3 repeats feedback on an older attempt: request 3, message 6")
        for line in check.evidence
    )


@pytest.mark.parametrize(
    ("answers", "budget", "outcome"),
    [
        ((GOOD,), 3, Outcome.CONVERGED),
        ((BAD,), 3, Outcome.STOPPED),
        ((BAD, GOOD), 3, Outcome.CONVERGED),
        ((BAD, BAD), 2, Outcome.STUCK),
        ((BAD, BAD.replace("pending", "open")), 2, Outcome.NO_PROGRESS),
        ((BAD, BAD.replace("pending", "open")), 3, Outcome.NO_PROGRESS),
        ((BAD, BROKEN), 2, Outcome.REGRESSED),
        ((BAD, BAD.replace("pending", "Draft").replace('{"tasks"', '{"x": 1, "tasks"')), 2, Outcome.REGRESSED),
        ((BAD, BROKEN, BAD.replace("pending", "open")), 3, Outcome.OSCILLATING),
        ((BAD, BROKEN[:30]), 2, Outcome.EXHAUSTED),  # cut off: nothing was broken that was right
        ((BAD, BAD.replace('{"tasks"', '{"goal": 7, "tasks"')), 2, Outcome.EXHAUSTED),  # the same place, differently
    ],
)
def test_outcomes(answers: tuple[str, ...], budget: int, outcome: Outcome) -> None:
    """How a conversation ended, by its answers and its budget."""
    assert one(loop(*answers), max_attempts=budget).outcome is outcome


@pytest.mark.parametrize(("path", "outcome"), [((), Outcome.EXHAUSTED), (("tasks",), Outcome.NO_PROGRESS)])
def test_the_words_of_a_rule_tell_problems_of_the_whole_answer_apart(path: Path, outcome: Outcome) -> None:
    """An unclosed bracket, then a missing operand, both found by a rule that compiles the answer, are progress."""

    def compiles(data: object, _document: Document) -> Iterator[Finding]:
        yield Finding("syntax", path, f"invalid syntax at {data}", FailureKind.RULE)

    second = GOOD.replace("Ship the release", "Ship it")
    assert one(loop(GOOD, second), Contract(Plan, rules=[compiles]), max_attempts=2).outcome is outcome


def test_a_finding_of_severity_fail_rejects() -> None:
    """Severity fail means no retry, and a retry all the same violates `stops` (source row 3)."""
    contract = Contract(Plan, constraints=[ContentConstraint("goal", "regex", {"pattern": "^S[^i]"}, "fail")])
    bad = GOOD.replace("Ship the release", "Sink the release")
    assert one(loop(bad), contract).outcome is Outcome.REJECTED
    found = one(loop(bad, GOOD), contract)
    needless = "attempt 2 was requested although the answer before it had a finding of severity fail: goal: "
    assert found.check("stops").evidence[0].startswith(needless)


def test_repeated_answers_are_counted() -> None:
    """Each attempt says which earlier one it repeats."""
    found = one(loop(BAD, BROKEN, BAD, BAD), max_attempts=4)
    assert [a.repeats for a in found.attempts] == [None, None, 1, 3]
    assert (found.repeated, found.repeated_at_once) == (2, 1)


def test_truncation_is_not_asked_again_at_the_same_limit() -> None:
    """The same limit cuts the next answer, too; a higher one is fine."""
    spoken = [Spoken(BASE, BROKEN, finish="length", limit=10)]
    again = [*BASE, ("assistant", BROKEN), ("user", "- (whole answer): Invalid JSON: cut off")]
    same = one(conversation(*spoken, Spoken(again, GOOD, limit=10)))
    cut_off = "attempt 2 was requested at the same token limit after attempt 1 was cut off"
    assert same.check("stops").evidence == (cut_off,)
    assert one(conversation(*spoken, Spoken(again, GOOD, limit=20))).check("stops").status is PASS


@pytest.mark.parametrize("words", ["Write it shorter.", "Fasse dich kürzer.", "Use fewer steps.", "请更短一些"])
def test_a_shorter_answer_may_fit_into_the_same_limit(words: str) -> None:
    """A retry that says what was wrong and asks for less can help."""
    cut = Spoken(BASE, BROKEN, finish="length", limit=10)
    again = [*BASE, ("assistant", BROKEN), ("user", f"Your JSON was cut off at the token limit. {words}")]
    assert one(conversation(cut, Spoken(again, GOOD, limit=10))).ok


def test_a_truncated_answer_that_was_accepted_is_not_valid() -> None:
    """The last answer is cut off and nobody asked again."""
    found = one(conversation(Spoken(BASE, BROKEN, finish="length")))
    assert found.check("valid").status is FAIL
    assert found.check("valid").message == "the last answer (attempt 1) breaks the contract: 1 finding"
    assert found.check("stops").status is PASS


def test_the_budget_is_kept() -> None:
    """One attempt too many is one too many; the last that is allowed is not."""
    assert one(loop(BAD, GOOD), max_attempts=2).check("stops").status is PASS
    found = one(loop(BAD, BROKEN, GOOD), max_attempts=2)
    assert "3 attempts were made, 2 are allowed" in found.check("stops").evidence


def test_asking_again_after_a_valid_answer_is_noticed() -> None:
    """Feedback on an answer that keeps the contract continues the conversation and violates `agreed`."""
    found = one(loop(GOOD, GOOD.replace("Ship", "Sell"), feedback="- goal: Field required"))
    assert found.check("agreed").evidence == ("attempt 2 was requested although attempt 1 meets the contract",)
    assert found.check("feedback").status is CheckStatus.NOT_JUDGED
    assert (
        found.check("feedback").message
        == "the findings of attempt 1 are unknown, so feedback on them cannot be checked"
    )


def test_the_next_turn_of_a_chat_is_another_conversation() -> None:
    """After a valid answer a plain new turn begins a new task."""
    found = judge(loop(GOOD, GOOD.replace("Ship", "Sell"), feedback="Now plan the party"), [PLAN])
    assert [(c.conversation, len(c.attempts)) for c in found.conversations] == [("1", 1), ("2", 1)]
    assert found.kinds == (None, StepKind.NEW_TURN)


def test_the_same_request_after_a_valid_answer_is_a_twin() -> None:
    """Samples and sync/async twins are conversations of their own, unless an id says otherwise."""
    exchanges = conversation(Spoken(BASE, GOOD), Spoken(BASE, GOOD))
    found = judge(exchanges, [PLAN])
    assert [len(c.attempts) for c in found.conversations] == [1, 1]
    assert found.kinds == (None, StepKind.RESEND)
    named = judge(exchanges, [PLAN], conversation_ids=["t1", "t1"]).conversations
    assert [(c.conversation, len(c.attempts)) for c in named] == [("t1", 2)]
    assert named[0].check("agreed").status is FAIL
    assert named[0].check("fresh").status is FAIL


def test_ids_name_conversations() -> None:
    """A second task under one id gets a number behind the id."""
    exchanges = loop(GOOD, GOOD, feedback="Now the next one, please")
    found = judge(exchanges, [PLAN], conversation_ids=["t1", "t1"]).conversations
    assert [c.conversation for c in found] == ["t1", "t1.2"]


def test_feedback_in_the_wrong_conversation_fails_both() -> None:
    """Two interleaved tasks whose feedback was swapped."""
    other = '{"goal": "Sell it", "tasks": [{"id": 1, "status": "Draft"}]}'
    about_other = "- tasks: List should have at least 2 items after validation, not 1"
    two = [("system", SYSTEM), ("user", "Plan the party")]

    def traffic(first: str, second: str) -> tuple[Exchange, ...]:
        return conversation(
            Spoken(BASE, BAD),
            Spoken(two, other),
            Spoken([*two, ("assistant", other), ("user", second)], GOOD),
            Spoken([*BASE, ("assistant", BAD), ("user", first)], GOOD),
        )

    right = judge(traffic(FEEDBACK, about_other), [PLAN]).conversations
    wrong = judge(traffic(about_other, FEEDBACK), [PLAN]).conversations
    assert [c.check("feedback").status for c in right] == [PASS, PASS]
    assert [c.check("feedback").status for c in wrong] == [FAIL, FAIL]


def test_ambiguity_is_reported_and_nothing_is_claimed() -> None:
    """Two different answers to one prompt and one injected retry: not judged, and not ok."""
    other = BAD.replace("pending", "open")
    third = Spoken([BASE[0], ("user", f"{TASK[1]}\n{FEEDBACK}")], GOOD)
    found = judge(conversation(Spoken(BASE, BAD), Spoken(BASE, other), third), [PLAN]).conversations
    ambiguous = next(c for c in found if c.outcome is Outcome.AMBIGUOUS)
    assert ambiguous.check("feedback").status is CheckStatus.NOT_JUDGED
    why = "the traffic does not show which answer the request reacts to"
    shown = {(c.grade, c.how, c.evidence, c.reason) for c in ambiguous.attempts[-2].fed_back}
    assert shown == {(Grade.NOT_JUDGED, None, None, why)}


def test_failed_sends_are_counted_apart() -> None:
    """A 429 and its repetition are one attempt; one that nobody repeated is unjudged with its reason (row 2)."""
    first, second = dialogue(FEEDBACK)
    failed = replace(second, number=2, status=429, answer=(), error="slow down", response_id=None)
    last = replace(second, number=3)
    found = one((first, failed, last))
    assert [(a.exchange.number, a.transport_retries) for a in found.attempts] == [(1, 0), (3, 1)]
    judgement = judge((first, failed), [PLAN])
    assert judgement.reasons == {2: "HTTP 429: slow down"}
    assert [len(c.attempts) for c in judgement.conversations] == [1]


def test_tool_steps_are_no_attempts() -> None:
    """An answer that calls another tool is a step; its result is no feedback."""
    call = Item(ItemKind.CALL, Role.ASSISTANT, "{}", "c1", "look_up", {})
    result = Item(ItemKind.RESULT, Role.TOOL, "sunny", "c1", "look_up")
    ask = Item(ItemKind.TEXT, Role.USER, "Plan it")
    answer = Item(ItemKind.TEXT, Role.ASSISTANT, GOOD)
    tools = {"look_up": {"type": "object", "properties": {}}}
    first = Exchange(1, "openai.chat", request=(ask,), answer=(call,), tools=tools)
    second = Exchange(2, "openai.chat", request=(ask, call, result), answer=(answer,), tools=tools)
    found = judge([first, second], [PLAN])
    assert [e.number for e in found.steps] == [1]
    assert [s.number for s in found.conversations[0].attempts[0].steps] == [1]
    assert found.kinds == (None, StepKind.TOOL_STEP)
    failing = replace(second, request=(ask, call, replace(result, text="no such city", is_error=True)))
    assert judge([first, failing], [PLAN]).kinds == (None, StepKind.TOOL_ERROR)
    alone = judge([first], [PLAN])
    assert (len(alone.conversations), len(alone.steps)) == (0, 1)


def test_what_no_contract_judges_is_named() -> None:
    """Raw bodies and missing contracts are reasons, not silence."""
    raw = Exchange(2, "raw", note="an embedding")
    found = judge([dialogue(FEEDBACK)[0], raw], [])
    assert found.conversations == ()
    assert found.reasons == {1: "no contract was given", 2: "an embedding"}
    assert [e.number for e in found.unjudged] == [1, 2]
    assert judge([], [PLAN]).conversations == ()


def test_unclean_feedback_is_warned_about() -> None:
    """A traceback, an API error, a secret and a URL in the feedback."""
    leak = "\n".join(
        [FEEDBACK, "Traceback (most recent call last)", "openai.RateLimitError: 429", "see https://errors.example/x"]
    )
    check = one(dialogue(leak + "\nkey sk-abcdefghijklmnopqrstuv12")).check("clean")
    assert check.status is WARN
    assert [line.split(" has ")[1].split(":")[0] for line in check.evidence] == [
        "a traceback",
        "an API error",
        "a URL",
        "a secret",
    ]
    assert "sk-abc" not in "".join(check.evidence)


def test_feedback_without_end_is_out_of_bounds() -> None:
    """A retry may grow by the answers so far and a capped feedback."""
    check = one(dialogue(FEEDBACK + "\n" + "x" * 5_000)).check("bounded")
    assert check.status is WARN
    assert check.evidence[0].startswith("request 2 has 5,")


def test_a_dropped_task_is_noticed() -> None:
    """A retry that fixes an answer without saying for what."""
    fixing = [("system", SYSTEM), ("user", f"Correct this:\n{BAD}\nErrors:\n{FEEDBACK}")]
    found = one(conversation(Spoken(BASE, BAD), Spoken(fixing, GOOD)))
    assert found.check("task_kept").evidence == ("request 2 no longer says: Plan the release of version two",)
    assert found.check("feedback").status is PASS


def test_a_left_out_or_doubled_answer_is_noticed() -> None:
    """In a dialogue the bad answer stands once, as the model's own turn."""
    left_out = [*BASE, ("user", FEEDBACK)]
    check = one(conversation(Spoken(BASE, BAD), Spoken(left_out, GOOD))).check("addressed")
    assert check.evidence == ("attempt 1's answer is left out of request 2",)
    quoted = [*BASE, ("user", f"We failed with this message: cannot read '{BAD}' due to {FEEDBACK}")]
    assert one(conversation(Spoken(BASE, BAD), Spoken(quoted, GOOD))).check("addressed").status is PASS
    doubled = [*BASE, ("assistant", BAD), ("user", "Hm."), ("assistant", BAD), ("user", FEEDBACK)]
    check = one(conversation(Spoken(BASE, BAD), Spoken(doubled, GOOD))).check("addressed")
    assert check.evidence == ("request 2 contains attempt 1's answer 2 times",)


def test_unpaired_calls_are_noticed() -> None:
    """Every call needs its result, and every result its call."""
    call = Item(ItemKind.CALL, Role.ASSISTANT, BAD, "c1", "plan", None)
    other = replace(call, call_id="c2")
    ask = Item(ItemKind.TEXT, Role.USER, "Plan it")
    result = Item(ItemKind.RESULT, Role.TOOL, FEEDBACK, "c1")
    stray = replace(result, call_id="c9")
    tools = {"Plan": {}}
    fixed = replace(call, text=GOOD, call_id="c3", name="Plan")
    call, other = replace(call, name="Plan"), replace(other, name="Plan")
    first = Exchange(1, "openai.chat", request=(ask,), answer=(call, other), tools=tools)
    second = Exchange(2, "openai.chat", request=(ask, call, other, result, stray), answer=(fixed,), tools=tools)
    check = one((first, second)).check("addressed")
    assert check.evidence == (
        "request 2: the call of Plan (c2) has no result",
        "request 2: a result answers none of the calls (c9)",
    )


def test_unknown_costs_are_named() -> None:
    """An attempt without usage makes the cost unknown."""
    found = one(tuple(replace(e, usage=Usage()) for e in dialogue(FEEDBACK)))
    assert found.check("accounted").evidence == ("attempt 1 has no token count", "attempt 2 has no token count")


def test_growing_findings_within_a_phase_are_noticed() -> None:
    """New findings of the same phase and a fall back to an earlier one; fixed syntax may reveal schema errors."""
    worse = BAD.replace('{"tasks"', '{"x": 1, "tasks"')
    assert one(loop(BAD, worse)).check("shrinking").evidence == ("attempt 2, x: not allowed here is new",)
    assert one(loop(BAD, BROKEN)).check("shrinking").evidence == ("attempt 2 fell back from schema to parse findings",)
    assert one(loop(BROKEN, BAD)).check("shrinking").status is PASS


def test_an_identical_body_is_not_fresh_unless_it_carries() -> None:
    """A blind retry with the same seed is the same request; a stuck loop with a short history is not blamed."""
    blind = one(conversation(Spoken(BASE, BAD), Spoken(BASE, GOOD)))
    assert blind.check("fresh").evidence == ("attempt 2 sends the same body as attempt 1",)
    retry = [*BASE, ("assistant", BAD), ("user", FEEDBACK)]
    stuck = one(conversation(Spoken(BASE, BAD), Spoken(retry, BAD), Spoken(retry, GOOD)))
    assert stuck.check("fresh").status is PASS
    bare = tuple(replace(e, raw_request="") for e in conversation(Spoken(BASE, BAD), Spoken(BASE, GOOD)))
    assert one(bare).check("fresh").status is FAIL


EXAMPLE = '{"goal": "Paint the garage door", "tasks": [{"id": 1, "status": "Draft"}, {"id": 2, "status": "Draft"}]}'
SHOT = [("system", SYSTEM), ("user", "Plan the garage"), ("assistant", EXAMPLE), TASK]


def test_a_copied_answer_warns_and_stays_valid() -> None:
    """By default a copy is a warning; with `copy_check` the outcome is false convergence; `valid` never changes."""
    exchanges = conversation(Spoken(SHOT, EXAMPLE))
    found = one(exchanges)
    assert (found.outcome, found.check("copied").status, found.check("valid").status) == (Outcome.CONVERGED, WARN, PASS)
    assert found.check("copied").evidence == ('goal copies an example: "Paint the garage door"',)
    strict = one(exchanges, copy_check=True)
    assert (strict.outcome, strict.check("valid").status) == (Outcome.FALSE_CONVERGENCE, PASS)


def test_an_answer_may_keep_what_the_feedback_quotes_of_it() -> None:
    """The words were the model's own before the feedback showed them; what the feedback brought in is a copy."""
    kept = "Repair the north roof"
    first, last = (json.dumps({"goal": kept, "tasks": t}) for t in (["urgent"], json.loads(GOOD)["tasks"]))
    contract = Contract(Plan, constraints=[ContentConstraint("goal", "not_copied", {}, "retry")])
    found = one(
        loop(first, last, feedback=f'tasks: List should have at least 2 items, got {{"goal": "{kept}"}}'), contract
    )
    assert (found.outcome, found.check("copied").status) == (Outcome.CONVERGED, PASS)
    told = one(loop(BAD, last, feedback=f"goal: Field required, for example {kept}"), contract)
    assert told.outcome is Outcome.FALSE_CONVERGENCE


def test_a_contract_that_forbids_copies_names_false_convergence() -> None:
    """A `not_copied` constraint sees the examples and the feedback, and its findings alone are false convergence."""
    contract = Contract(Plan, constraints=[ContentConstraint("goal", "not_copied", {"sources": ["examples"]}, "retry")])
    found = one(conversation(Spoken(SHOT, EXAMPLE)), contract)
    assert found.outcome is Outcome.FALSE_CONVERGENCE
    assert {f.severity for f in found.attempts[0].verdict.errors} == {Severity.RETRY}


def test_statuses_decide_what_a_violation_counts_as() -> None:
    """A user may let a missing finding warn only."""
    found = one(dialogue("no"), statuses={"feedback": WARN})
    assert found.check("feedback").status is WARN
    assert found.ok
    with pytest.raises(KeyError):
        found.check("unheard of")


def test_an_answer_that_ended_by_itself_may_be_asked_for_again() -> None:
    """Only the token limit makes asking again pointless: an unfinished text with finish "stop" did not hit it."""
    unfinished = BROKEN[:30]
    turns = [*BASE, ("assistant", unfinished), ("user", "invalid JSON: the text ends inside the object")]
    for finish, status in (("stop", PASS), ("length", FAIL)):
        found = one(conversation(Spoken(BASE, unfinished, finish=finish, limit=500), Spoken(turns, GOOD, limit=500)))
        assert found.check("stops").status is status
