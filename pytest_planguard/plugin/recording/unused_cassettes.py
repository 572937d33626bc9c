"""Cassettes that no test uses any more: reported if the whole suite was collected, or pruned while recording."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

from ..marker.identity import case_key, cassette_path, shown_path
from ..options import RECORDING, settings_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ..case import Case
    from ..marker.marker import Spec


ORPHANS: pytest.StashKey[list[str]] = pytest.StashKey()
DESELECTED: pytest.StashKey[bool] = pytest.StashKey()
"""True once a test was deselected."""
ASKED = "planguard_find_orphans"
"""The key under which the xdist controller asks a worker."""
FOUND = "planguard_orphans"
"""The key under which a worker answers."""
OURS = re.compile(r".+-[0-9a-f]{8}(?:\.[0-9]+)?\.yaml")
"""Names that planguard creates, with the number of each additional sample. The folder may hold other tools'
cassettes."""
DEPTH = 3
"""Test file, variant, name: the minimum depth of our cassettes below the common folder."""


def find_orphans(session: pytest.Session, specs: dict[pytest.Item, Spec]) -> None:
    """Keep the cassettes of this variant that no collected test uses, unless only a part of the suite runs.

    An xdist worker looks if its controller asks, and passes on the result.
    """
    config = session.config
    if config.stash.get(DESELECTED, False):
        return
    asked = getattr(config, "workerinput", None)
    if asked is None:
        if is_started_whole(config):
            config.stash[ORPHANS] = _orphans(session, specs)
    elif asked.get(ASKED, False):
        config.workeroutput[FOUND] = _orphans(session, specs)  # type: ignore[attr-defined] # xdist's


def _orphans(session: pytest.Session, specs: dict[pytest.Item, Spec]) -> list[str]:
    config = session.config
    beside = {item.path.parent for item in session.items}
    homes = {home for folder in beside if (home := folder / settings_of(config).cassette_dir).is_dir()}
    if not homes:
        return []
    from ...replay.files.names import orphans

    used = {cassette_path(item, spec, case_key(item, spec)) for item, spec in specs.items()}
    variants = {path.parent.name for path in used}
    found = [
        path
        for home in sorted(homes)
        for path in orphans(home, used)
        if OURS.fullmatch(path.name) and path.parent.name in variants and len(path.relative_to(home).parts) >= DEPTH
    ]
    return [shown_path(config, path) for path in found]


def is_started_whole(config: pytest.Config) -> bool:
    """Return True if pytest was started in the root folder without naming tests."""
    return config.args_source is not config.ArgsSource.ARGS and config.invocation_params.dir == config.rootpath


# Under xdist, workers know the tests and the controller knows how pytest was started: together they find orphans.


def ask_for_orphans(node: Any) -> None:
    """Ask a worker for orphans if pytest was started without naming tests. Ask all of them, since any may die."""
    node.workerinput[ASKED] = is_started_whole(node.config)


def take_orphans(node: Any) -> None:
    """Take a worker's result; the first one that ends well counts."""
    found = getattr(node, "workeroutput", None) or {}
    if FOUND in found:
        node.config.stash.setdefault(ORPHANS, list(found[FOUND]))


def prune(case: Case) -> None:
    """Remove older variants of a newly recorded cassette, for all samples, if the command line asks for it.

    A variant is older if the marker's `models` do not name it or, without `models`, if it is not that of this run.
    Without the option, no variant is pruned.
    """
    asked = case.item.config.getoption("--planguard-prune") and case.settings.record in RECORDING
    if not asked or case.spec.cassette is not None or not case.recording.recorded:
        return
    for path in list(_older(case)):
        path.unlink()
        case.pruned.append(shown_path(case.item.config, path))
        with suppress(OSError):  # the variant has other cassettes
            path.parent.rmdir()


def _older(case: Case) -> Iterator[Path]:
    from ...replay.files.names import first_sample

    specs = [case.spec._replace(model=model) for model in case.spec.models] or [case.spec]
    kept = {cassette_path(case.item, spec, case.key).parent.name for spec in specs}
    first = case.sample_path(1)
    found = sorted(first.parent.parent.glob(f"*/{first.stem}*{first.suffix}"))
    return (path for path in found if first_sample(path).name == first.name and path.parent.name not in kept)
