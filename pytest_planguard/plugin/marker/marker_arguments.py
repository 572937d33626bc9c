"""The allowed values of each argument of `@pytest.mark.planguard(...)`, and the messages for invalid ones."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...errors import UsageError, nearest, offer
from ..options import MATCH
from .cases import read_models

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MODES = ("observed", "driven", "check")
MUST_FEED_BACK = ("app", "contract")
COVERAGE = ("all", "first", "any")
WEAKEST = ("verbatim", "located", "weak")
CHECK_STATUSES = ("warn", "fail", "not applicable")
Read = Callable[[str, Any], Any]
"""Takes an argument's name and value, and returns the value for a `Spec`. Raises UsageError."""


def unknown(value: str, allowed: Sequence[str]) -> str:
    """Return the end of a message about an unknown word: the nearest allowed word, and all allowed words."""
    return offer(nearest(value, allowed), allowed)


def _one_of(*allowed: str) -> Read:
    def read(name: str, value: Any) -> Any:
        if value not in allowed:
            raise UsageError(f"{name}={value!r}{unknown(str(value), allowed)}")
        return value

    return read


def _must_be(fits: Callable[[Any], bool], what: str, value_of: Callable[[Any], Any] = lambda value: value) -> Read:
    """Return a reader that accepts values for which `fits` is true. `what` describes them in the error message."""

    def read(name: str, value: Any) -> Any:
        if not fits(value):
            raise UsageError(f"{name}={value!r}: {what}")
        return value_of(value)

    return read


def _is_number(value: Any, kind: type = int) -> bool:
    return isinstance(value, int | kind) and not isinstance(value, bool)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


_text = _must_be(_is_text, "expected a non-empty text")
_flag = _must_be(lambda value: isinstance(value, bool), "expected True or False")
_words = _must_be(
    lambda value: isinstance(value, list | tuple) and all(map(_is_text, value)),
    "expected a list of words, for example ['volatile', 'meta.duration_s']",
    tuple,
)


def _text_or_words(name: str, value: object) -> tuple[str, ...]:
    return (_text(name, value),) if isinstance(value, str) else _words(name, value)


def _statuses(name: str, value: object) -> object:
    from ...retry.judging.judging_options import DEFAULT_STATUS

    if not isinstance(value, dict):
        raise UsageError(f"{name}={value!r}: expected a dict, for example {{'clean': 'fail'}}")
    for check, status in value.items():
        if check not in DEFAULT_STATUS:
            raise UsageError(f"{name} has no check {check!r}{unknown(str(check), list(DEFAULT_STATUS))}")
        if status not in CHECK_STATUSES:
            raise UsageError(f"{name}[{check!r}] = {status!r}{unknown(str(status), CHECK_STATUSES)}")
    return value


def _folder(name: str, value: object) -> str:
    text: str = _text(name, value)
    if any(c in text for c in "/\\:") or text.startswith("."):
        raise UsageError(f"{name}={value!r}: expected the name of a folder, without a path")
    return text


def _age(name: str, value: object) -> str:
    from ...replay.session.rerecord import age_s

    text: str = _text(name, value)
    try:
        age_s(text)
    except UsageError as error:
        raise UsageError(f"{name}={error}") from None
    return text


def _search(name: str, value: object) -> object:
    from ...plan_search.step import SearchConfig

    if not isinstance(value, SearchConfig):
        raise UsageError(f"{name}={value!r}: expected budgets, for example SearchConfig(max_total_calls=10)")
    return value


def _commands(name: str, value: object) -> tuple[str, ...]:
    names = (value,) if isinstance(value, str) else value
    if not isinstance(names, list | tuple) or not all(isinstance(n, str) and _COMMAND.fullmatch(n) for n in names):
        raise UsageError(f"{name}={value!r}: expected names of programs without a path, for example commands='claude'")
    return tuple(names)


def _tape_files(name: str, value: object) -> tuple[str, ...]:
    from ...replay.commands.taped_run import tape_scope

    return tape_scope(_text_or_words(name, value), ()).files


def _tape_environment(name: str, value: object) -> tuple[str, ...]:
    from ...replay.commands.taped_run import tape_scope

    return tape_scope((), _text_or_words(name, value)).environment


_COMMAND = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]{0,63}")
"""`claude`, `python3.12`, `g++`."""
ARGUMENTS: Mapping[str, Read] = {
    "max_attempts": _must_be(
        lambda n: _is_number(n) and n >= 1, "expected a whole number of at least 1, counting the first attempt"
    ),
    "mode": _one_of(*MODES),
    "contract_from": _text,
    "match": _one_of(*MATCH),
    "cassette": _text,
    "key": lambda name, value: value if callable(value) else _text(name, value),
    "inputs": lambda _name, value: value,
    "must_feed_back": _one_of(*MUST_FEED_BACK),
    "coverage": _one_of(*COVERAGE),
    "weakest": _one_of(*WEAKEST),
    "known_wordings": _flag,
    "copy_check": _flag,
    "escalates": _text_or_words,
    "variant": _folder,
    "models": read_models,
    "cases": _text,
    "min_score": _must_be(lambda n: _is_number(n, float) and 0 <= n <= 1, "expected a score from 0 to 1", float),
    "max_age": _age,
    "samples": _must_be(lambda n: _is_number(n) and n >= 1, "expected a whole number of at least 1"),
    "min_pass_rate": _must_be(
        lambda n: _is_number(n, float) and 0 < n <= 1, "expected a share above 0 and at most 1", float
    ),
    "checks": _statuses,
    "redact": _words,
    "endpoint": _flag,
    "commands": _commands,
    "tape_files": _tape_files,
    "tape_environment": _tape_environment,
    "search": _search,
    "task": _text,
    "prove": _flag,
}
"""Maps each argument to its reader."""


def read_arguments(arguments: Mapping[str, object]) -> dict[str, Any]:
    """Return the arguments as a `Spec` stores them.

    Raises:
        UsageError: an unknown argument or an invalid value.
    """
    for name in arguments:
        if name not in ARGUMENTS:
            raise UsageError(f"no argument {name!r}{unknown(name, list(ARGUMENTS))}")
    return {name: ARGUMENTS[name](name, value) for name, value in arguments.items()}
