"""The failure kind of an error that was logged: all that is left of a call whose answer nobody kept.

A log is clipped and says what a validator said, so that a kind read from it is a reading and no verdict. What is asked
again is decided by types and statuses (`retry.driving.budget`), never by this.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...contract.failure_kinds import FailureKind, kind_of_status

_EXCEPTION = re.compile(r"\b(\w+)\((?=[\"'\\)])")
"""An exception as `repr` writes it: ReadTimeout('timed out'), AuthenticationError("Error code: 401 - …")."""
_STATUS = re.compile(r"\b(?:Error code|status(?:_code)?)\s{0,3}[:=]\s{0,3}(\d{3})\b")
"""Error code: 401 - {'error': …}"""
_PYDANTIC = re.compile(r"\[type=(\w+), input_value=(.{0,8})")
"""[type=missing, input_value={'$defs': {'Lever': …"""
_TRUNCATED = re.compile(r"Invalid JSON: EOF while parsing\b")
"""Invalid JSON: EOF while parsing a list at line 25 column 5"""
_NO_JSON = re.compile(r"Could not extract json string from output: ?(.?)", re.DOTALL)
"""ValueError('Could not extract json string from output: I’m happy to …')"""
_CONFIG = re.compile(r"\bCannot create LLM, the llm_name\b")
"""ValueError("Cannot create LLM, the llm_name 'x' is not found in the selected llm_config/<profile>.json.")"""
_TRANSPORT = ("Timeout", "TimeoutError", "ConnectionError", "ConnectError", "ReadError", "RateLimitError")
"""How the names of exceptions end that say that no answer came: APITimeoutError, ReadTimeout, APIConnectionError."""
_BY_TYPE = {
    "missing": FailureKind.MISSING,
    "extra_forbidden": FailureKind.EXTRA,
    "literal_error": FailureKind.ENUM,
    "enum": FailureKind.ENUM,
    "value_error": FailureKind.RULE,
    "assertion_error": FailureKind.RULE,
    "json_invalid": FailureKind.INVALID_JSON,
}
"""pydantic's error types, as far as their ending does not tell."""
_BY_ENDING = {
    "too_short": FailureKind.LENGTH,
    "too_long": FailureKind.LENGTH,
    "_type": FailureKind.TYPE,
    "_parsing": FailureKind.TYPE,
    "_pattern_mismatch": FailureKind.FORMAT,
    "less_than": FailureKind.RANGE,
    "less_than_equal": FailureKind.RANGE,
    "greater_than": FailureKind.RANGE,
    "greater_than_equal": FailureKind.RANGE,
}


@dataclass(frozen=True, slots=True)
class LoggedError:
    """What a logged error says."""

    kind: FailureKind | None
    """None where it is no failure of a model: the call was never made."""
    evidence: str
    """The words that say so."""

    @property
    def result(self) -> str:
        """The same as the result of an attempt: "fail:<kind>", or "error:<kind>" where no answer came."""
        if self.kind is None:
            return "error:config"
        return f"{'error' if self.kind in (FailureKind.TRANSPORT, FailureKind.AUTH) else 'fail'}:{self.kind}"


def read_logged_error(text: str) -> LoggedError | None:
    """Return the kind of a logged error; None where its words are not known.

    The first failure that a validator lists decides, as in a verdict.
    """
    config = _CONFIG.search(text)
    if config is not None:
        return LoggedError(None, config.group())
    return _without_answer(text) or _without_document(text) or _invalid(text)


def _without_answer(text: str) -> LoggedError | None:
    status = _STATUS.search(text)
    if status is not None:
        return LoggedError(kind_of_status(int(status[1])) or FailureKind.TRANSPORT, status.group())
    names = (match[1] for match in _EXCEPTION.finditer(text))
    name = next((name for name in names if name.endswith(_TRANSPORT)), None)
    return None if name is None else LoggedError(FailureKind.TRANSPORT, name)


def _without_document(text: str) -> LoggedError | None:
    """Read what PlanExe's extraction says. A text that begins like JSON is broken JSON, however the log goes on."""
    match = _NO_JSON.search(text)
    if match is None:
        return None
    kind = {"'": FailureKind.EMPTY, '"': FailureKind.EMPTY, "": FailureKind.EMPTY, "{": FailureKind.INVALID_JSON}
    return LoggedError(kind.get(match[1], FailureKind.PROSE), match.group())


def _invalid(text: str) -> LoggedError | None:
    match = _PYDANTIC.search(text)
    if match is None:
        return None
    if _TRUNCATED.search(text):
        return LoggedError(FailureKind.TRUNCATED, match.group())
    if match[2].startswith("{'$defs'"):
        return LoggedError(FailureKind.SCHEMA_ECHO, match.group())
    ending = next((kind for end, kind in _BY_ENDING.items() if match[1].endswith(end)), None)
    kind = _BY_TYPE.get(match[1], ending)
    return None if kind is None else LoggedError(kind, match.group())
