"""The enums that judge a conversation: how each finding was fed back and why, outcomes, and check results."""

from __future__ import annotations

from enum import StrEnum


class Grade(StrEnum):
    """How the next request treats a finding. "It" is that request."""

    FED_BACK = "fed back"
    """It names the finding; `FedBack.how` says how certain that is."""
    PARTIAL = "partial"
    """It names the exact place, but planguard cannot read what it says about the place. Counts as weak."""
    UNCLEAR = "unclear"
    """Its new words may be about the finding, but do not show it. A warning by default: `JudgeOptions.unclear`."""
    WRONG = "wrong"
    """It names a different place, problem or value."""
    MISSING = "missing"
    """It does not mention the finding."""
    NOT_JUDGED = "not judged"
    """planguard cannot know: there is no contract or no text, the server holds the state, or the rule isn't ours."""


DROPPED = (Grade.MISSING, Grade.WRONG)
"""Grades that mean that the next request does not state the finding."""
NOT_FED_BACK = (*DROPPED, Grade.UNCLEAR)
"""Grades that mean that planguard did not find the finding in the next request."""


class Firmness(StrEnum):
    """How certain it is that the next request feeds a finding back."""

    PROVEN = "proven"
    """When planguard fixed the finding in the answer, the app left out words about it (see `proof`)."""
    REACTS = "reacts"
    """When planguard fixed the finding, the app left out words that planguard cannot read. Counts as weak."""
    VERBATIM = "verbatim"
    """The new words contain the finding's path and its message, in our wording or the validator's."""
    LOCATED = "located"
    """An error parsed from the new words has the finding's path, and its code or message."""
    WEAK = "weak"
    """Only keywords match: the finding is about the whole answer, or the feedback does not parse."""


LABELS = (*(how.value for how in Firmness), *(grade.value for grade in Grade if grade is not Grade.FED_BACK))
"""All values of `FedBack.label`, in the order in which reports list them."""


class ReasonCode(StrEnum):
    """A machine-readable reason why a finding is missing, wrong or unclear. `FedBack.reason` says it in a sentence."""

    NOTHING_NEW = "nothing-new"
    """The next request has no new words."""
    NOTHING_NAMED = "nothing-named"
    """The new words name no place, value or rule of the answer: "please try again"."""
    OTHER_PLACE = "other-place"
    """The new words name other places of the answer or its schema, but not the finding's."""
    OTHER_LABEL = "other-label"
    """The new words name a place that the answer does not have: "what: is too short"."""
    OTHER_PROBLEM = "other-problem"
    """The new words name the finding's place with a different problem."""
    NO_PROBLEM = "no-problem"
    """The new words praise the finding's place, or name it without a problem."""
    OTHER_PARSE_ERROR = "other-parse-error"
    SAME_WORDS = "same-words"
    """Missing: the new words name no place, and the app sent the same words after findings at other places."""
    NO_REACTION = "no-reaction"
    """Missing: when planguard fixed the finding, the app sent the same request, except perhaps for a number."""
    SOMETHING_ELSE = "something-else"
    """Wrong: the app reacts to the finding but reports something else."""
    OTHER_QUOTES = "other-quotes"
    """Missing or unclear: the new words quote other wrong parts of the answer, but not the finding's."""
    ITEM = "item"
    """Unclear: the new words name the finding's field, but not the item of the list."""
    VALUE = "value"
    """Unclear: the new words quote the bad value, and planguard cannot read the rest."""
    WORDS = "words"
    """Unclear: the new words name the place without its value, bound or choices, and planguard cannot read the rest."""
    RULE = "rule"
    """Unclear: the new words may name the finding's rule, but they name no place."""
    WHOLE_ANSWER = "whole-answer"
    """Unclear: the new words are about the whole answer, and planguard cannot read the rest."""
    OTHER_FAULT = "other-fault"
    """Unclear: in the rerun, the words about the place fit a different fault of that place."""


class Known(StrEnum):
    """The evidence that an answer has been rejected."""

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
    """The last allowed attempt still violates the contract."""
    STUCK = "stuck"
    """The model repeated an earlier answer, and the last answer is not valid."""
    OSCILLATING = "oscillating"
    """The same sets of findings alternate (A-B-A)."""
    NO_PROGRESS = "no_progress"
    """The last two answers differ but have the same findings."""
    REGRESSED = "regressed"
    """The last answer breaks something that was right in an earlier one."""
    FALSE_CONVERGENCE = "false_convergence"
    """The last answer is valid, but copied from the prompt, an example or the feedback."""
    REJECTED = "rejected"
    """The last answer has a finding of severity fail, which rules out a retry."""
    STOPPED = "stopped"
    """The app stopped before it used up its attempts, or was right not to ask again (truncation, refusal)."""
    ESCALATED = "escalated"
    """The app handed the task over to another model, a tool or a person, as the test declares."""
    STALE = "stale"
    """The cassette no longer fits what the app sends."""
    AMBIGUOUS = "ambiguous"
    """The traffic does not show which conversation a request belongs to."""


class StopReason(StrEnum):
    """Why a loop that planguard drives stopped."""

    ANSWERED = "answered"
    """The answer meets the contract."""
    REJECTED = "rejected"
    """A finding has severity fail."""
    CANNOT_HELP = "cannot help"
    """Asking again cannot help: a refusal, an answer cut off at the token limit, or a second empty answer."""
    STUCK = "stuck"
    """The answer equals an earlier one."""
    BUDGET_SPENT = "budget spent"
    """The budget of attempts, tokens or money is used up."""


class CheckStatus(StrEnum):
    """Result of one named check. `NOT_JUDGED` is never a pass."""

    PASS = "pass"
    WARN = "warn"
    FAIL = "fail"
    NOT_JUDGED = "not judged"
    NOT_APPLICABLE = "not applicable"
