"""The marker's `cases=` and `models=`: each creates one test item per case of a file, or per model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ...errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from ...runs.load.case_files import CaseReference, LabelledCase


CASE_FIXTURE = "planguard_case"
"""The name of the fixture that returns the labelled case, and of its parameter."""
_REFERENCES: pytest.StashKey[dict[Path, list[CaseReference]]] = pytest.StashKey()
"""The cases of each file, cached per session because several tests may share a file."""


def one_item_each(metafunc: pytest.Metafunc) -> None:
    """Parametrize a test with the cases of the file that its nearest marker names. Invalid arguments are refused later.

    A file that cannot be read fails the collection; the message has the line.
    """
    marks = metafunc.definition.iter_markers("planguard")
    named = next((mark.kwargs["cases"] for mark in marks if "cases" in mark.kwargs), None)
    if not isinstance(named, str) or not named:
        return
    if CASE_FIXTURE not in metafunc.fixturenames:
        metafunc.fixturenames.append(CASE_FIXTURE)
    try:
        references = _references(metafunc.config, metafunc.definition.path.parent / named)
    except UsageError as error:
        pytest.fail(f"{metafunc.definition.nodeid}: {error}", pytrace=False)  # as in `case_of`
    parameters = [
        pytest.param(reference, id=reference.name, marks=list(_marks(metafunc.config, reference.tags)))
        for reference in references
    ]
    metafunc.parametrize(CASE_FIXTURE, parameters, indirect=True)


def _references(config: pytest.Config, path: Path) -> list[CaseReference]:
    known = config.stash.setdefault(_REFERENCES, {})
    if path not in known:
        from ...runs.load.case_files import case_references

        known[path] = case_references(path)
    return known[path]


def _marks(config: pytest.Config, tags: tuple[str, ...]) -> Iterator[pytest.MarkDecorator]:
    """Yield a mark for each tag that is a valid mark name, for `-m`. Skip marks that pytest or a plugin uses."""
    for tag in tags:
        # "skip(reason): …", "parametrize(argnames, argvalues): …", "slow: …" of the ini file
        registered = {line.partition(":")[0].partition("(")[0].strip() for line in config.getini("markers")}
        if tag.isidentifier() and tag not in registered:
            config.addinivalue_line("markers", f"{tag}: {_OURS}")
            yield getattr(pytest.mark, tag)
        elif tag in _own(config):
            yield getattr(pytest.mark, tag)


_OURS = "a tag of labelled cases"


def _own(config: pytest.Config) -> set[str]:
    return {line.partition(":")[0] for line in config.getini("markers") if line.endswith(f": {_OURS}")}


def note_tags(item: pytest.Item) -> None:
    """Let `-k` select a test by the tags of its labelled case, even by tags that cannot be marks: "needs-network"."""
    reference = reference_of(item)
    if reference is not None:
        item.extra_keyword_matches.update(reference.tags)


def case_of(request: pytest.FixtureRequest) -> LabelledCase:
    """Return the labelled case of the requesting test. Fail the test if its marker names no cases."""
    reference: Any = getattr(request, "param", None)
    try:
        if reference is not None:
            return reference.load(_schema(request.node))  # type: ignore[no-any-return]  # parameters have no type
        wrong = (
            f"{request.node.nodeid}: the fixture {CASE_FIXTURE} needs cases: "
            '@pytest.mark.planguard(CONTRACT, cases="cases.jsonl")'
        )
    except UsageError as error:
        wrong = str(error)
    pytest.fail(wrong, pytrace=False)  # the frames are pytest's and ours


def labelled_case(item: pytest.Item) -> LabelledCase | None:
    """Return the labelled case of a test, typed by its contract; None for a test without one. Raises UsageError."""
    reference = reference_of(item)
    return None if reference is None else reference.load(_schema(item))


def _schema(item: pytest.Item) -> Mapping[str, object] | None:
    from ...contract import Contract

    contracts = (argument for mark in item.iter_markers("planguard") for argument in mark.args)
    return next((contract.json_schema for contract in contracts if isinstance(contract, Contract)), None)


def reference_of(item: pytest.Item) -> CaseReference | None:
    """Return the reference to a test's labelled case; None for a test without one."""
    found = getattr(getattr(item, "callspec", None), "params", {}).get(CASE_FIXTURE)
    return found if found is not None and hasattr(found, "load") else None


MODEL_FIXTURE = "planguard_model"
"""The name of the fixture that returns a case's model, and of its parameter."""


def one_case_each(metafunc: pytest.Metafunc) -> None:
    """Parametrize a test with the models of the nearest marker that names any. Invalid names are refused later."""
    marks = metafunc.definition.iter_markers("planguard")
    models = next((mark.kwargs["models"] for mark in marks if "models" in mark.kwargs), None)
    if models is None or problem_of(models):
        return
    if MODEL_FIXTURE not in metafunc.fixturenames:
        metafunc.fixturenames.append(MODEL_FIXTURE)
    metafunc.parametrize(MODEL_FIXTURE, list(models), indirect=True, ids=list(models))


def parameter_of(request: pytest.FixtureRequest) -> str:
    """Return the model of the requesting case. Raises pytest.UsageError if its marker names none."""
    model = getattr(request, "param", None)
    if not isinstance(model, str):
        raise pytest.UsageError(
            f"{request.node.nodeid}: the fixture {MODEL_FIXTURE} needs models: "
            "@pytest.mark.planguard(CONTRACT, models=[...])"
        )
    return model


def model_of(item: pytest.Item) -> str | None:
    """Return the model of a case; None if its marker names none."""
    model = getattr(getattr(item, "callspec", None), "params", {}).get(MODEL_FIXTURE)
    return model if isinstance(model, str) else None


def read_models(name: str, value: Any) -> tuple[str, ...]:
    """Return a list of distinct models as a tuple. Raises UsageError for any other value."""
    problem = problem_of(value)
    if problem:
        raise UsageError(f"{name}={value!r:.200}: {problem}")
    return tuple(value)


def problem_of(models: object) -> str:
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
