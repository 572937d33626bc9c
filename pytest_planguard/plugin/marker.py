"""Read `@pytest.mark.planguard(...)`: strict about its arguments, and what they come to for one test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast

import pytest

from ..contract import Contract
from ..errors import UsageError
from .models import check_models, model_of
from .options import MATCH, settings_of, unknown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ..retry.options import JudgeOptions

MARKER = "planguard"
MODES = ("observed", "driven", "check")
MUST_CARRY = ("app", "contract")
COVERAGE = ("all", "first", "any")
WEAKEST = ("verbatim", "located", "weak")
CHECK_STATUSES = ("warn", "fail", "not applicable")


@dataclass(frozen=True, slots=True)
class Spec:
    """What a test's markers say. Arguments of the nearest marker win: function, class, module."""

    contracts: tuple[Contract, ...]
    max_attempts: int
    mode: str | None = None
    """"observed": the app owns the loop; "driven": `converge` must be called; "check": no recording is opened;
    None: whatever the test does."""
    match: str | None = None
    cassette: str | None = None
    """Path of an existing recording, relative to the cassette folder, or absolute."""
    key: str | None = None
    inputs: Any = None
    """The declared input; `UNSET` where the parametrize values stand for it."""
    must_carry: Literal["app", "contract"] = "app"
    coverage: Literal["all", "first", "any"] = "all"
    weakest: str = "weak"
    """The weakest grade that still counts as carried."""
    known_wordings: bool = True
    """Whether feedback may be recognised by the wordings of frameworks."""
    copy_check: bool = False
    """Whether a valid last answer that copies an example or the feedback is a false convergence."""
    variant: str | None = None
    models: tuple[str, ...] = ()
    """One case for each; () where the marker names none."""
    model: str | None = None
    """The one of this case."""
    samples: int | None = None
    """How many times the test runs, each with a recording of its own; None: as often as it is recorded."""
    min_pass_rate: float = 1.0
    """Share of good samples, above 0 up to 1, with which the test passes."""
    max_age: str | None = None
    """Age from which the recording is stale, as written: "90d"."""
    checks: Mapping[str, str] | None = None
    """What a violated check counts as, by name, where it differs from the default."""
    redact: tuple[str, ...] | None = None
    """What its snapshots do not keep; None: what the ini file says."""

    @property
    def options(self) -> JudgeOptions:
        """How the conversations of this test are judged."""
        from ..retry.convergence import CheckStatus, Grade
        from ..retry.options import DEFAULT_STATUS, JudgeOptions

        return JudgeOptions(
            self.max_attempts,
            self.coverage,
            self.must_carry,
            weakest=Grade(self.weakest),
            statuses={**DEFAULT_STATUS, **{name: CheckStatus(s) for name, s in (self.checks or {}).items()}},
            known_wordings=self.known_wordings,
            copy_check=self.copy_check,
        )


UNSET = object()


def read_marker(item: pytest.Item) -> Spec:
    """The spec of a marked test.

    Raises:
        pytest.UsageError: the marker's arguments cannot work; the message names the test and its file and line.
    """
    contracts: tuple[Any, ...] = ()
    arguments: dict[str, Any] = {}
    for mark in item.iter_markers(MARKER):
        contracts = contracts or mark.args
        arguments = {**mark.kwargs, **arguments}
    try:
        return _spec(item, contracts, arguments)
    except UsageError as error:
        raise pytest.UsageError(f"{location(item)}: {item.nodeid}: @pytest.mark.planguard: {error}") from None


def location(item: pytest.Item) -> str:
    """'tests/test_app.py:12': where a test stands, lines from 1."""
    path, line, _ = item.reportinfo()
    try:
        shown = item.config.rootpath and str(path).removeprefix(f"{item.config.rootpath}/")
    except TypeError:
        shown = str(path)
    return f"{shown}:{(line or 0) + 1}"


def _spec(item: pytest.Item, contracts: tuple[Any, ...], arguments: Mapping[str, Any]) -> Spec:
    for name in arguments:
        if name not in ARGUMENTS:
            raise UsageError(f"no argument {name!r}. {unknown(name, list(ARGUMENTS))}")
    for name, value in arguments.items():
        ARGUMENTS[name](name, value)
    return Spec(
        contracts=_contracts(contracts),
        max_attempts=arguments.get("max_attempts", settings_of(item.config).max_attempts),
        mode=arguments.get("mode"),
        match=arguments.get("match"),
        cassette=arguments.get("cassette"),
        key=_key(item, arguments.get("key")),
        inputs=arguments.get("inputs", UNSET),
        must_carry=cast('Literal["app", "contract"]', arguments.get("must_carry", "app")),
        coverage=cast('Literal["all", "first", "any"]', arguments.get("coverage", "all")),
        weakest=arguments.get("weakest", "weak"),
        known_wordings=arguments.get("known_wordings", True),
        copy_check=arguments.get("copy_check", False),
        variant=arguments.get("variant"),
        models=tuple(arguments.get("models", ())),
        model=_model(item, arguments),
        max_age=arguments.get("max_age"),
        samples=arguments.get("samples"),
        min_pass_rate=float(arguments.get("min_pass_rate", 1.0)),
        checks=arguments.get("checks"),
        redact=tuple(arguments["redact"]) if "redact" in arguments else None,
    )


def _contracts(given: tuple[Any, ...]) -> tuple[Contract, ...]:
    if not given:
        raise UsageError("it names no contract. Write @pytest.mark.planguard(CONTRACT), for example Contract(Ticket)")
    for one in given:
        # A bare model cannot stand for its contract: @mark(Model) alone would decorate the model, not the test.
        if not isinstance(one, Contract):
            name = one.__name__ if isinstance(one, type) else "..."
            raise UsageError(f"{one!r:.80} is no contract. Write Contract({name})")
    return given


def _model(item: pytest.Item, arguments: Mapping[str, Any]) -> str | None:
    model = model_of(item)
    if "models" in arguments and model is None:
        raise UsageError("models= needs a test function of pytest: a unittest method has no parameters")
    return model


def _key(item: pytest.Item, key: str | Callable[..., str] | None) -> str | None:
    """The case key with the test's parameters filled in: key="{ticket.id}" or key=lambda **params: ..."""
    if key is None:
        return None
    params = getattr(getattr(item, "callspec", None), "params", {})
    try:
        filled = key.format(**params) if isinstance(key, str) else key(**params)
    except Exception as error:
        names = ", ".join(params) or "none: the test is not parametrized"
        raise UsageError(
            f"key={key!r} cannot be filled ({type(error).__name__}: {error}). Parameters: {names}"
        ) from None
    if not isinstance(filled, str) or not filled.strip():
        raise UsageError(f"key gave {filled!r}; a case key is a text that is not empty")
    return filled


def _one_of(*allowed: str) -> Callable[[str, Any], None]:
    def check(name: str, value: Any) -> None:
        if value not in allowed:
            raise UsageError(f"{name}={value!r}. {unknown(str(value), allowed)}")

    return check


def _attempts(name: str, value: Any) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise UsageError(f"{name}={value!r}: a whole number from 1 on is needed, the first attempt included")


def _text(name: str, value: Any) -> None:
    if not isinstance(value, str) or not value.strip():
        raise UsageError(f"{name}={value!r}: a text that is not empty is needed")


def _text_or_function(name: str, value: Any) -> None:
    if not callable(value):
        _text(name, value)


def _flag(name: str, value: Any) -> None:
    if not isinstance(value, bool):
        raise UsageError(f"{name}={value!r}: True or False is needed")


def _anything(name: str, value: Any) -> None:
    """Any declared input can be digested."""


def _statuses(name: str, value: Any) -> None:
    from ..retry.options import DEFAULT_STATUS

    if not isinstance(value, dict):
        raise UsageError(f"{name}={value!r}: a dict is needed, for example {{'clean': 'fail'}}")
    for check, status in value.items():
        if check not in DEFAULT_STATUS:
            raise UsageError(f"{name} has no check {check!r}. {unknown(str(check), list(DEFAULT_STATUS))}")
        if status not in CHECK_STATUSES:
            raise UsageError(f"{name}[{check!r}] = {status!r}. {unknown(str(status), CHECK_STATUSES)}")


def _words(name: str, value: Any) -> None:
    if not isinstance(value, list | tuple) or not all(isinstance(word, str) and word.strip() for word in value):
        raise UsageError(f"{name}={value!r}: a list of words is needed, for example ['volatile', 'meta.duration_s']")


def _folder(name: str, value: Any) -> None:
    _text(name, value)
    if any(c in value for c in "/\\:") or value.startswith("."):
        raise UsageError(f"{name}={value!r}: a variant is the name of a folder, without a path")


def _samples(name: str, value: Any) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise UsageError(f"{name}={value!r}: a whole number from 1 on is needed")


def _share(name: str, value: Any) -> None:
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value <= 1:
        raise UsageError(f"{name}={value!r}: a share is needed, above 0 and at most 1")


def _age(name: str, value: Any) -> None:
    from ..replay.age import age_s

    _text(name, value)
    try:
        age_s(value)
    except UsageError as error:
        raise UsageError(f"{name}={error}") from None


ARGUMENTS: Mapping[str, Callable[[str, Any], None]] = {
    "max_attempts": _attempts,
    "mode": _one_of(*MODES),
    "match": _one_of(*MATCH),
    "cassette": _text,
    "key": _text_or_function,
    "inputs": _anything,
    "must_carry": _one_of(*MUST_CARRY),
    "coverage": _one_of(*COVERAGE),
    "weakest": _one_of(*WEAKEST),
    "known_wordings": _flag,
    "copy_check": _flag,
    "variant": _folder,
    "models": check_models,
    "max_age": _age,
    "samples": _samples,
    "min_pass_rate": _share,
    "checks": _statuses,
    "redact": _words,
}
"""Argument name to what checks its value."""
