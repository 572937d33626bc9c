"""What a verdict about a conversation can be: grades of findings, reasons, outcomes, states of checks."""

from __future__ import annotations

from enum import StrEnum


class Grade(StrEnum):
    """What the next request says of a finding."""

    FED_BACK = "fed back"
    """It names the finding; `FedBack.how` says how firmly that is known."""
    PARTIAL = "partial"
    """It names the exact place, in whatever spelling, with words that were not understood. Counts as weak."""
    UNCLEAR = "unclear"
    """The new words could be about it, and nobody can tell by reading. A warning, see `JudgeOptions.unclear`."""
    WRONG = "wrong"
    """It says something else: another place, another problem, another value."""
    MISSING = "missing"
    """It says nothing of it."""
    NOT_JUDGED = "not judged"
    """Nobody can know: no contract, no text, server-held state, a foreign validator's rule."""


DROPPED = (Grade.MISSING, Grade.WRONG)
"""Grades of a finding of which there is evidence that the next request does not say it."""
NOT_FED_BACK = (*DROPPED, Grade.UNCLEAR)
"""Grades of a finding that the words were not understood to feed back."""


class Firmness(StrEnum):
    """How firmly a finding was found in the next request."""

    PROVEN = "proven"
    """Given the answer without the finding, the app left out words that are about it (see `proof`)."""
    REACTS = "reacts"
    """Given the answer without the finding, the app left out words that nobody can read. Counts as weak."""
    VERBATIM = "verbatim"
    """The finding's own message (ours or its validator's) stands in the delta, with its path."""
    LOCATED = "located"
    """A parsed entry agrees in path and in code or message."""
    WEAK = "weak"
    """Only keywords agree; possible for root-level findings and feedback that does not parse into entries."""


LABELS = (*(how.value for how in Firmness), *(grade.value for grade in Grade if grade is not Grade.FED_BACK))
"""All that `FedBack.label` can be, in the order of reports."""


class ReasonCode(StrEnum):
    """Why a finding is missing, wrong or unclear, in one word for machines; `FedBack.reason` says it for a person."""

    NOTHING_NEW = "nothing-new"
    """The next request has no new words."""
    NOTHING_NAMED = "nothing-named"
    """The new words name no place, value or rule of the answer: "please try again"."""
    OTHER_PLACE = "other-place"
    """They name other places of the answer or its schema, and its own in no spelling."""
    OTHER_LABEL = "other-label"
    """A word stands where a place would, and the answer has no such place: "what: is too short"."""
    OTHER_PROBLEM = "other-problem"
    """They name its place with another problem."""
    NO_PROBLEM = "no-problem"
    """They name its place with praise, or with no words beside it."""
    OTHER_PARSE_ERROR = "other-parse-error"
    SAME_WORDS = "same-words"
    """Missing: they name nothing, and answered findings at other places in other cassettes, or before."""
    NO_REACTION = "no-reaction"
    """Missing: without the finding the app sent the same request, or one that differs in a count."""
    SOMETHING_ELSE = "something-else"
    """Wrong: the app reacts to the finding, and says something else than it."""
    ITEM = "item"
    """Unclear: its field is named, of an item that cannot be made out."""
    VALUE = "value"
    """Unclear: its value is quoted in words that were not understood."""
    WORDS = "words"
    """Unclear: its place is named, in words that were not understood and hold no value, bound or choice of its own."""
    RULE = "rule"
    """Unclear: its rule may be meant, and no place is named."""
    WHOLE_ANSWER = "whole-answer"
    """Unclear: the whole answer is named in words that were not understood."""
    OTHER_FAULT = "other-fault"
    """Unclear: run again, the words about it fit another fault of its place, and not its own."""


class Known(StrEnum):
    """What is known of a rejected answer."""

    FINDINGS = "findings"
    """A contract, the request's own schema or its list of tools rejects the answer."""
    ERRORS = "errors"
    """The feedback names a place and a validator's code."""
    WORDS = "words"
    """The feedback is free text."""


class Outcome(StrEnum):
    """How a conversation ended."""

    CONVERGED = "converged"
    EXHAUSTED = "exhausted"
    """The last allowed attempt still breaks the contract."""
    STUCK = "stuck"
    """An answer equals an earlier one of the conversation and the last one is not valid."""
    OSCILLATING = "oscillating"
    """The same sets of findings alternate (A-B-A)."""
    NO_PROGRESS = "no_progress"
    """The last two answers differ, and have the same findings."""
    REGRESSED = "regressed"
    """The last answer breaks something that an earlier one had right."""
    FALSE_CONVERGENCE = "false_convergence"
    """Valid by the schema, but copied from the prompt, an example or the feedback."""
    REJECTED = "rejected"
    """A finding of severity fail: no retry was due."""
    STOPPED = "stopped"
    """The app gave up before its budget was spent, or asking again was rightly not done (truncation, refusal)."""
    ESCALATED = "escalated"
    """Handed over to another model, a tool or a person, as the test declares it."""
    STALE = "stale"
    """The cassette no longer fits what the app sends."""
    AMBIGUOUS = "ambiguous"
    """Which conversation a request belongs to cannot be told from the traffic."""


class StopReason(StrEnum):
    """Why a loop that planguard drives made no further attempt."""

    ANSWERED = "answered"
    """The answer keeps the contract."""
    REJECTED = "rejected"
    """A finding has severity fail."""
    CANNOT_HELP = "cannot help"
    """The same request would end the same way: a refusal, an answer cut off at the token limit, a second empty one."""
    STUCK = "stuck"
    """The answer equals an earlier one."""
    BUDGET_SPENT = "budget spent"
    """No further attempt, token or money is left."""


class CheckStatus(StrEnum):
    """Result of one named check. `NOT_JUDGED` is never a pass."""

    PASS = "pass"
    WARN = "warn"
    FAIL = "fail"
    NOT_JUDGED = "not judged"
    NOT_APPLICABLE = "not applicable"
