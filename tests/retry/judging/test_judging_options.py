"""How strictly is judged where nothing else is said."""

from __future__ import annotations

from pytest_planguard.retry.judging.attempts import Answer
from pytest_planguard.retry.judging.checks.view import View
from pytest_planguard.retry.judging.conversations import Gathered, Try
from pytest_planguard.retry.judging.judge import Judgement
from pytest_planguard.retry.judging.judging_options import DEFAULT_STATUS, JudgeOptions
from pytest_planguard.retry.judging.outcome import CHECK_NAMES
from pytest_planguard.retry.judging.retry_listing import ALONE, APP_RULE, SAID_SHOWN, TOOL, ListedRetry
from pytest_planguard.retry.linking.link import Delta, How, Link, Piece
from pytest_planguard.retry.outcomes import LABELS, CheckStatus, Firmness, Known, Outcome, ReasonCode, StopReason
from pytest_planguard.retry.results import Check, FedBack
from pytest_planguard.wire.exchange import Role


def test_the_options() -> None:
    """The defaults hold for a correct client of any framework."""
    assert JudgeOptions() == JudgeOptions(
        max_attempts=3,
        coverage="all",
        must_feed_back="app",
        weakest=Firmness.WEAK,
        unclear=CheckStatus.WARN,
        statuses=DEFAULT_STATUS,
        known_wordings=True,
        proofs=(),
        escalates=(),
        partial=False,
        copy_check=False,
    )


def test_the_first_five_checks_fail_and_the_others_warn() -> None:
    """Real, correct clients break naive versions of the lower seven."""
    assert tuple(DEFAULT_STATUS) == CHECK_NAMES
    assert [status.value for status in DEFAULT_STATUS.values()] == ["fail"] * 5 + ["warn"] * 7


def test_what_is_not_said_of_a_value() -> None:
    """Nothing is ambiguous, an error, shown, taken or handed over unless it is said to be."""
    delta = Delta(0, ())
    assert Piece("x", 1, Role.USER) == Piece("x", 1, Role.USER, is_error=False, call_id=None)
    assert Delta() == delta
    assert Link(2, 1, How.SAME, 0, delta) == Link(2, 1, How.SAME, 0, delta, ambiguous_with=())
    assert Answer("x") == Answer("x", uncalled=None, call_id=None)
    assert View((), (), JudgeOptions()) == View((), (), JudgeOptions(), ambiguous=False, taken=False, handed_to=None)
    assert Gathered(0, []) == Gathered(0, [], ambiguous=False, taken=False, handed_to=None)
    assert Try(0) == Try(0, steps=[], links=[], failures=0, verdict=None)
    assert Judgement() == Judgement((), (), (), {}, (), {})
    assert (Judgement().kinds, Judgement().answered) == ((), {})
    assert ListedRetry(2, 1, Known.WORDS, ()).judged


def test_the_words_of_the_judgement() -> None:
    """They are written into reports and read from expectations: none may change unseen."""
    assert list(LABELS) == [
        *("proven", "reacts", "verbatim", "located", "weak", "partial", "unclear", "wrong", "missing", "not judged"),
    ]
    assert [status.value for status in CheckStatus] == ["pass", "warn", "fail", "not judged", "not applicable"]
    assert [outcome.value for outcome in Outcome] == [
        *(
            "converged",
            "exhausted",
            "stuck",
            "oscillating",
            "no_progress",
            "regressed",
            "false_convergence",
            "rejected",
        ),
        *("stopped", "escalated", "stale", "ambiguous"),
    ]
    assert [reason.value for reason in StopReason] == ["answered", "rejected", "cannot help", "stuck", "budget spent"]
    assert [known.value for known in Known] == ["findings", "errors", "words"]
    assert [code.value for code in ReasonCode] == [
        *("nothing-new", "nothing-named", "other-place", "other-label", "other-problem", "no-problem"),
        *("other-parse-error", "same-words", "no-reaction", "something-else", "other-quotes", "item", "value"),
        *("words", "rule", "whole-answer", "other-fault"),
    ]
    assert (TOOL, APP_RULE, ALONE, SAID_SHOWN) == (
        "the answer calls a tool that no contract judges",
        "the contract accepts the answer: the rule is the app's own",
        "no contract judges the answer",
        5,
    )
    assert Check("feedback", CheckStatus.PASS, "x").evidence == ()
    assert FedBack.__dataclass_fields__["evidence"].default is None
