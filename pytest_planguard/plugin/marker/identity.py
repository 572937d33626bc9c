"""The identity of a case: its key, the digest of its input, its cassette, and the command that records it."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..options import settings_of
from .cases import CASE_FIXTURE, MODEL_FIXTURE, reference_of
from .marker import UNSET

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pytest

    from ..options import Settings
    from .marker import Spec


OWN_MODELS = frozenset(("model", "model_name", "llm"))
"""Parametrize arguments that name a model in the user's tests."""
MODEL_PARAMETERS = OWN_MODELS | {MODEL_FIXTURE}
"""All parameters that name a model. The model is an axis of comparisons, so it is not part of a case's identity."""
NOT_INPUT = MODEL_PARAMETERS | {"anyio_backend"}
ADDRESS = r" at 0x[0-9a-fA-F]+"
DEEPEST = 40
"""Maximum depth at which the digest distinguishes values of a declared input."""
DIGEST = 12
"""Number of hexadecimal digits of a digest in rows."""
_CANONICAL = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def case_key(item: pytest.Item, spec: Spec) -> str:
    """Return the user's key, or else the test id without the model.

    An id that pytest built from a position ("case0") would shift when a case is inserted before it, so the digest of
    the value replaces it.
    """
    if spec.key is not None:
        return spec.key
    base, bracket, ids = item.nodeid.partition("[")
    if not bracket:
        return base
    name = ids.removesuffix("]")
    for argument, value in parameters(item).items():
        name = _without_position(name, argument, value)
    return f"{base}[{name}]" if name else base


def parameters(item: pytest.Item) -> Mapping[str, Any]:
    """Return a test's parametrize arguments as a mapping, which may be empty."""
    callspec = getattr(item, "callspec", None)
    return dict(getattr(callspec, "params", {}))


def inputs_digest(item: pytest.Item, spec: Spec) -> str:
    """Return twelve hexadecimal digits for the declared input: the marker's `inputs`, else the parametrize values."""
    declared = spec.inputs
    if declared is UNSET:
        declared = {k: v for k, v in parameters(item).items() if k not in NOT_INPUT}
        reference = reference_of(item)
        if reference is not None:
            declared[CASE_FIXTURE] = reference.load().input
    return digest_of(declared)[:DIGEST]


def digest_of(value: object) -> str:
    """Return the SHA-256 of a value's content. It is the same in every process and on every machine."""
    return hashlib.sha256(_CANONICAL.encode(plain(value)).encode(errors="surrogatepass")).hexdigest()


def plain(value: Any, depth: int = 0) -> Any:
    """Return a value as JSON types: models and dataclasses as dicts, sets sorted, any other object as its text.

    Values deeper than `DEEPEST` levels, and values that contain themselves, are replaced by their type.
    """
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if depth > DEEPEST:
        return type(value).__qualname__
    below = depth + 1
    if isinstance(value, dict):
        return {str(k): plain(v, below) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [plain(v, below) for v in value]
    if isinstance(value, set | frozenset):
        # By text: a set may hold values of types that have no order, such as 1 and "a".
        return sorted((plain(v, below) for v in value), key=repr)
    return _object(value, below)


def _object(value: object, depth: int) -> object:
    if not isinstance(value, type):
        if dataclasses.is_dataclass(value):
            return {f.name: plain(getattr(value, f.name), depth) for f in dataclasses.fields(value)}
        if callable(dump := getattr(value, "model_dump", None)):
            return plain(dump(mode="json"), depth)
    # "<app.Client object at 0x7f3a…>" differs in each process.
    return getattr(value, "__qualname__", None) or re.sub(ADDRESS, "", repr(value))


def variant_of(spec: Spec, settings: Settings) -> str | None:
    """Return the case's variant: the run's variant, or a separate one per model if there are several models."""
    named = settings.variant or spec.variant or settings.default_variant
    if spec.model is None:
        return named
    return f"{named}--{spec.model}" if named else spec.model


def named_model(item: pytest.Item) -> str | None:
    """Return the model that a test names: one of `models=[...]`, or the value of its parameter `model`.

    The key of a case has no model, so this distinguishes the cases of one key. The app may send another name.
    """
    given = parameters(item)
    named = [_spelled(item, name, given[name]) for name in sorted(MODEL_PARAMETERS & given.keys())]
    if not named:
        return None
    from ...replay.privacy.secrets import without_secrets

    return without_secrets(", ".join(named), lambda _: None)


def _spelled(item: pytest.Item, argument: str, value: object) -> str:
    text = str(value)
    if re.search(ADDRESS, text) is None:
        return text
    # "<app.Client object at 0x7f3a…>" is spelled as in the test's id, "model0". If the id has no position, the key of
    # the case distinguishes the objects.
    placed = re.search(rf"(?<=[-\[]){re.escape(argument)}\d+(?=[-\]])", item.name)
    return re.sub(ADDRESS, "", text) if placed is None else placed[0]


def cassette_path(item: pytest.Item, spec: Spec, key: str) -> Path:
    """Return a test's cassette path: `cassettes/<test file>/<variant>/<name>-<8 hex of the case key>.yaml`.

    With `cassette=`, return that file instead, relative to the test file. Its variants are in subfolders beside it.
    """
    settings = settings_of(item.config)
    variant = variant_of(spec, settings)
    if spec.cassette is not None:
        named = item.path.parent / spec.cassette
        return named.parent / variant / named.name if variant else named
    test_file = item.nodeid.partition("::")[0]
    name = key.rpartition("::")[2] if spec.key is None else key
    # Hash the id without the test file's path, so that a folder of tests can move with its cassettes. Include the
    # model, so that two models in one run don't share a file.
    told_apart = [key.removeprefix(test_file)]
    if not OWN_MODELS.isdisjoint(parameters(item)):
        told_apart.append(named_model(item) or "")
    from ...replay.files.names import cassette_path as cassette_name
    from ...replay.privacy.secrets import without_secrets

    name = without_secrets(name, lambda _: None)  # a parameter may be a key: test_login[sk-proj-…]

    # In a common folder for all test files, each file needs its whole path.
    common = Path(settings.cassette_dir)
    root, below = (common, test_file) if common.is_absolute() else (item.path.parent, item.path.name)
    return cassette_name(root, below, variant or "default", "\n".join(told_apart), name, folder=settings.cassette_dir)


def _without_position(name: str, argument: str, value: object) -> str:
    """Return an id without a parameter that names the model, or with a parameter's position replaced by a digest."""
    if argument not in name and argument not in MODEL_PARAMETERS:
        return name
    counted = rf"{re.escape(argument)}\d+"
    if argument in MODEL_PARAMETERS:
        spelled = {str(value), *([value.encode("unicode_escape").decode()] if isinstance(value, str) else ())}
        return _replace_part(name, "|".join([*map(re.escape, sorted(spelled)), counted]), "")  # pytest writes gro\xdf
    if isinstance(value, str) and re.fullmatch(counted, value):
        return name
    return _replace_part(name, counted, f"{argument}~{digest_of(value)[:8]}")


def _replace_part(name: str, part: str, by: str) -> str:
    """Replace a part of an id that is delimited by dashes; "" removes it together with a dash."""
    # A whole part: "m1" in "case-m1-x", but not in "case-m12" or "m1x".
    found = re.search(rf"(?:^|(?<=-))(?:{part})(?=-|$)", name)
    if found is None:
        return name
    before, after = name[: found.start()], name[found.end() :]
    return before + by + after if by else (before.removesuffix("-") + after if before else after.removeprefix("-"))


def record_command(config: pytest.Config, nodeid: str, mode: str) -> str:
    """Return the command that records one test in this run's variant. An id of "" records all tests."""
    file, separator, rest = nodeid.partition("::")
    test = f"{shlex.quote(shown_path(config, config.rootpath / file) + separator + rest)} " if file else ""
    variant = settings_of(config).variant
    return f"pytest {test}--planguard-record={mode}" + (f" --planguard-variant={variant}" if variant else "")


def prove_command(config: pytest.Config, nodeid: str) -> str:
    """Return the command that runs one test with its experiments."""
    return record_command(config, nodeid, "none").replace(" --planguard-record=none", " --planguard-prove")


def shown_path(config: pytest.Config, path: Path) -> str:
    """Return a path relative to pytest's start folder, with forward slashes.

    Three or more levels up, return it unchanged.
    """
    try:
        relative = os.path.relpath(path, config.invocation_params.dir)
    except ValueError:  # another drive
        return path.as_posix()
    return path.as_posix() if relative.startswith(f"..{os.sep}..{os.sep}..") else relative.replace(os.sep, "/")
