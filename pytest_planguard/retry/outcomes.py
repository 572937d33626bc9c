"""The values of a verdict about a conversation: grades of findings, reasons, outcomes, states of checks."""

from __future__ import annotations

from enum import StrEnum


class Grade(StrEnum):
    """How the next request treats a finding."""

    FED_BACK = "fed back"
    """It names the finding; `FedBack.how` says how firmly that is known."""
    PARTIAL = "partial"
    """It names the exact place, in any spelling, in words that planguard cannot read. Counts as weak."""
    UNCLEAR = "unclear"
    """The new words could be about it, but reading cannot decide. A warning, see `JudgeOptions.unclear`."""
    WRONG = "wrong"
    """It says something else: another place, another problem, another value."""
    MISSING = "missing"
    """It says nothing about it."""
    NOT_JUDGED = "not judged"
    """planguard cannot know: no contract, no text, server-held state, a foreign validator's rule."""


DROPPED = (Grade.MISSING, Grade.WRONG)
"""Grades of a finding that the next request does not state, by the evidence."""
NOT_FED_BACK = (*DROPPED, Grade.UNCLEAR)
"""Grades of a finding that planguard did not read in the next request."""


class Firmness(StrEnum):
    """How firmly planguard found a finding in the next request."""

    PROVEN = "proven"
    """Without the finding in the answer, the app left out words about it (see `proof`)."""
    REACTS = "reacts"
    """Without the finding in the answer, the app left out words that planguard cannot read. Counts as weak."""
    VERBATIM = "verbatim"
    """The finding's own message (ours or its validator's) is in the delta, with its path."""
    LOCATED = "located"
    """A parsed entry agrees in path and in code or message."""
    WEAK = "weak"
    """Only keywords agree. Possible for findings about the whole answer, and for feedback that does not parse."""


LABELS = (*(how.value for how in Firmness), *(grade.value for grade in Grade if grade is not Grade.FED_BACK))
"""All values of `FedBack.label`, in the order of reports."""


class ReasonCode(StrEnum):
    """Why a finding is missing, wrong or unclear, in one word for machines; `FedBack.reason` is for people."""

    NOTHING_NEW = "nothing-new"
    """The next request has no new words."""
    NOTHING_NAMED = "nothing-named"
    """The new words name no place, value or rule of the answer: "please try again"."""
    OTHER_PLACE = "other-place"
    """They name other places of the answer or its schema, and never its own."""
    OTHER_LABEL = "other-label"
    """A word is in the position of a place, but the answer has no such place: "what: is too short"."""
    OTHER_PROBLEM = "other-problem"
    """They name its place with another problem."""
    NO_PROBLEM = "no-problem"
    """They name its place with praise, or with no other words."""
    OTHER_PARSE_ERROR = "other-parse-error"
    SAME_WORDS = "same-words"
    """Missing: they name nothing, and they also answered findings at other places, earlier or in other cassettes."""
    NO_REACTION = "no-reaction"
    """Missing: without the finding the app sent the same request, or one that differs only in a count."""
    SOMETHING_ELSE = "something-else"
    """Wrong: the app reacts to the finding but says something else."""
    ITEM = "item"
    """Unclear: its field is named, but the item is unknown."""
    VALUE = "value"
    """Unclear: its value is quoted in words that planguard cannot read."""
    WORDS = "words"
    """Unclear: its place is named in words that planguard cannot read, without its value, bound or choices."""
    RULE = "rule"
    """Unclear: its rule may be named, but no place is."""
    WHOLE_ANSWER = "whole-answer"
    """Unclear: the whole answer is named in words that planguard cannot read."""
    OTHER_FAULT = "other-fault"
    """Unclear: in the rerun, the words about it fit another fault of its place, and not this one."""


class Known(StrEnum):
    """The evidence that an answer was rejected."""

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
    """An answer equals an earlier one of the conversation, and the last one is not valid."""
    OSCILLATING = "oscillating"
    """The same sets of findings alternate (A-B-A)."""
    NO_PROGRESS = "no_progress"
    """The last two answers differ but have the same findings."""
    REGRESSED = "regressed"
    """The last answer breaks something that an earlier one had right."""
    FALSE_CONVERGENCE = "false_convergence"
    """Valid by the schema, but copied from the prompt, an example or the feedback."""
    REJECTED = "rejected"
    """A finding of severity fail: no retry was due."""
    STOPPED = "stopped"
    """The app gave up before its budget was spent, or rightly did not ask again (truncation, refusal)."""
    ESCALATED = "escalated"
    """Handed over to another model, a tool or a person, as the test declares."""
    STALE = "stale"
    """The cassette no longer fits what the app sends."""
    AMBIGUOUS = "ambiguous"
    """The traffic does not show which conversation a request belongs to."""


class StopReason(StrEnum):
    """Why a loop that planguard drives stopped."""

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
