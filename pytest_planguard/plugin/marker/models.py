"""The marker's `models=`: creates one case per model, each with a separate set of cassettes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ...errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

FIXTURE = "planguard_model"
"""The name of the fixture that returns a case's model, and of its parameter."""


def one_case_each(metafunc: pytest.Metafunc) -> None:
    """Parametrize a test with the models of the nearest marker that names any. Invalid names are refused later."""
    marks = metafunc.definition.iter_markers("planguard")
    models = next((mark.kwargs["models"] for mark in marks if "models" in mark.kwargs), None)
    if models is None or problem_of(models):
        return
    if FIXTURE not in metafunc.fixturenames:
        metafunc.fixturenames.append(FIXTURE)
    metafunc.parametrize(FIXTURE, list(models), indirect=True, ids=list(models))


def parameter_of(request: pytest.FixtureRequest) -> str:
    """Return the model of the requesting case. Raises pytest.UsageError if its marker names none."""
    model = getattr(request, "param", None)
    if not isinstance(model, str):
        raise pytest.UsageError(
            f"{request.node.nodeid}: the fixture {FIXTURE} needs models: @pytest.mark.planguard(CONTRACT, models=[...])"
        )
    return model


def model_of(item: pytest.Item) -> str | None:
    """Return the model of a case; None if its marker names none."""
    model = getattr(getattr(item, "callspec", None), "params", {}).get(FIXTURE)
    return model if isinstance(model, str) else None


def read_models(name: str, value: Any) -> tuple[str, ...]:
    """Return a list of distinct models as a tuple. Raises UsageError for any other value."""
    problem = problem_of(value)
    if problem:
        raise UsageError(f"{name}={value!r:.200}: {problem}")
    return tuple(value)


def problem_of(models: Any) -> str:
    """Return what is wrong with a list of models; "" if it is valid."""
    if not isinstance(models, list | tuple) or not models:
        return 'expected a list of names, for example ["gpt-5-mini", "claude-haiku-4-5"]'
    if not all(isinstance(model, str) and model.strip() for model in models):
        return "each model must be a non-empty text"
    twice = _same_folder(models)
    return f"{twice[0]!r} and {twice[1]!r} would share a folder of cassettes" if twice else ""


def _same_folder(models: Iterable[str]) -> tuple[str, str] | None:
    from ...replay.files.names import CLIPPED, safe_name

    seen: dict[str, str] = {}
    for model in models:
        folder = safe_name(model, CLIPPED)
        if folder in seen:
            return seen[folder], model
        seen[folder] = model
    return None
