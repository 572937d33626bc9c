"""What each argument of `@pytest.mark.planguard(...)` may be, and what is said of a value that it may not be."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ...errors import UsageError, nearest, offer
from ..options import MATCH
from .models import check_models

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

MODES = ("observed", "driven", "check")
MUST_FEED_BACK = ("app", "contract")
COVERAGE = ("all", "first", "any")
WEAKEST = ("verbatim", "located", "weak")
CHECK_STATUSES = ("warn", "fail", "not applicable")


def unknown(value: str, allowed: Sequence[str]) -> str:
    """How a message goes on about a word that is not one of the allowed: the nearest one and all of them."""
    return offer(nearest(value, allowed), allowed)


def _one_of(*allowed: str) -> Callable[[str, object], None]:
    def check(name: str, value: object) -> None:
        if value not in allowed:
            raise UsageError(f"{name}={value!r}{unknown(str(value), allowed)}")

    return check


def _attempts(name: str, value: object) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise UsageError(f"{name}={value!r}: a whole number from 1 on is needed, the first attempt included")


def _text(name: str, value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise UsageError(f"{name}={value!r}: a text that is not empty is needed")
    return value


def _text_or_function(name: str, value: object) -> None:
    if not callable(value):
        _text(name, value)


def _flag(name: str, value: object) -> None:
    if not isinstance(value, bool):
        raise UsageError(f"{name}={value!r}: True or False is needed")


def _anything(name: str, value: object) -> None:
    """Any declared input can be digested."""


def _statuses(name: str, value: object) -> None:
    from ...retry.judging.judging_options import DEFAULT_STATUS

    if not isinstance(value, dict):
        raise UsageError(f"{name}={value!r}: a dict is needed, for example {{'clean': 'fail'}}")
    for check, status in value.items():
        if check not in DEFAULT_STATUS:
            raise UsageError(f"{name} has no check {check!r}{unknown(str(check), list(DEFAULT_STATUS))}")
        if status not in CHECK_STATUSES:
            raise UsageError(f"{name}[{check!r}] = {status!r}{unknown(str(status), CHECK_STATUSES)}")


def _words(name: str, value: object) -> Sequence[str]:
    if not isinstance(value, list | tuple) or not all(isinstance(word, str) and word.strip() for word in value):
        raise UsageError(f"{name}={value!r}: a list of words is needed, for example ['volatile', 'meta.duration_s']")
    return value


def _text_or_words(name: str, value: object) -> Sequence[str]:
    return [_text(name, value)] if isinstance(value, str) else _words(name, value)


def _folder(name: str, value: object) -> None:
    text = _text(name, value)
    if any(c in text for c in "/\\:") or text.startswith("."):
        raise UsageError(f"{name}={value!r}: a variant is the name of a folder, without a path")


def _samples(name: str, value: object) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise UsageError(f"{name}={value!r}: a whole number from 1 on is needed")


def _share(name: str, value: object) -> None:
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value <= 1:
        raise UsageError(f"{name}={value!r}: a share is needed, above 0 and at most 1")


def _age(name: str, value: object) -> None:
    from ...replay.session.rerecord import age_s

    text = _text(name, value)
    try:
        age_s(text)
    except UsageError as error:
        raise UsageError(f"{name}={error}") from None


def _search(name: str, value: object) -> None:
    from ...search.step import SearchConfig

    if not isinstance(value, SearchConfig):
        raise UsageError(f"{name}={value!r}: budgets are needed, for example SearchConfig(max_total_calls=10)")


def _commands(name: str, value: object) -> None:
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list | tuple) or not all(isinstance(n, str) and _COMMAND.fullmatch(n) for n in names):
        raise UsageError(
            f"{name}={value!r}: names of programs are needed, without a path, for example commands='claude'"
        )


def _tape_files(name: str, value: object) -> None:
    from ...replay.commands.command_run import tape_scope

    tape_scope(_text_or_words(name, value), ())


def _tape_environment(name: str, value: object) -> None:
    from ...replay.commands.command_run import tape_scope

    tape_scope((), _text_or_words(name, value))


_COMMAND = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]{0,63}")
"""`claude`, `python3.12`, `g++`."""
ARGUMENTS: Mapping[str, Callable[[str, object], object]] = {
    "max_attempts": _attempts,
    "mode": _one_of(*MODES),
    "contract_from": _text,
    "match": _one_of(*MATCH),
    "cassette": _text,
    "key": _text_or_function,
    "inputs": _anything,
    "must_feed_back": _one_of(*MUST_FEED_BACK),
    "coverage": _one_of(*COVERAGE),
    "weakest": _one_of(*WEAKEST),
    "known_wordings": _flag,
    "copy_check": _flag,
    "escalates": _text_or_words,
    "variant": _folder,
    "models": check_models,
    "max_age": _age,
    "samples": _samples,
    "min_pass_rate": _share,
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
"""Argument name to what checks its value."""


def check_arguments(arguments: Mapping[str, Any]) -> None:
    """Raises UsageError for an unknown argument, and for a value that an argument cannot have."""
    for name in arguments:
        if name not in ARGUMENTS:
            raise UsageError(f"no argument {name!r}{unknown(name, list(ARGUMENTS))}")
    for name, value in arguments.items():
        ARGUMENTS[name](name, value)
