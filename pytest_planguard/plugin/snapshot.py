"""The syrupy extension behind the fixture `planguard_snapshot`. Only this module imports syrupy.

syrupy decides when to write and which snapshots are unused. This module turns values into text and shows differences.
"""

from __future__ import annotations

import shlex
import warnings
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest
from syrupy.assertion import SnapshotAssertion  # noqa: TID253 - loaded with the first use of the fixture
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode  # noqa: TID253 - the same

from ..errors import PlanguardWarning, RunError, UsageError
from ..replay.privacy.redact import Cleaner
from ..replay.privacy.redaction_rules import own_redaction
from ..report.change_text import changed_rows, new_rows
from ..runs.snapshots import (
    NO_REDACTION,
    SUFFIX,
    PendingSnapshot,
    PendingStore,
    plain_value,
    redaction,
    same_snapshot,
    snapshot_text,
)
from ..runs.store.project_files import write_whole
from .marker.marker import SPEC
from .options import settings_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ..contract import Contract
    from ..runs.snapshots import Redaction

Trail = tuple[tuple[str | int, type], ...]
"""A path in syrupy's form: each step with the type of the value there."""


class PlanSnapshot(SingleFileSnapshotExtension):
    """One file per snapshot: canonical JSON with volatile parts redacted, and differences as rows of fields."""

    _write_mode = WriteMode.TEXT
    file_extension = SUFFIX
    redact: Redaction = NO_REDACTION
    cleaner = Cleaner(own_redaction(()))
    """Removes secrets, as from a cassette."""
    contracts: tuple[Contract, ...] = ()
    """The contracts of the test, which show the rule that a change touches."""
    update_command = "pytest --snapshot-update"

    def serialize(self, data: Any, *, exclude: Any = None, include: Any = None, matcher: Any = None) -> str:
        """Return the value as the text of a snapshot."""
        value = _filtered(plain_value(data), (), exclude, include, matcher)
        return snapshot_text(self.cleaner.value(value, "snapshot"), self.redact)

    def matches(self, *, serialized_data: Any, snapshot_data: Any) -> bool:
        """Return True if both hold the same value, regardless of layout."""
        return same_snapshot(serialized_data, snapshot_data)

    def diff_lines(self, serialized_data: Any, snapshot_data: Any) -> Iterator[str]:
        """Yield the differences field by field, and how to accept them."""
        if snapshot_data:
            yield from changed_rows(snapshot_data, serialized_data, self.contracts)
        else:
            yield from new_rows(serialized_data)
        yield f"accept: {self.update_command}, or one by one: planguard review"

    @classmethod
    def write_snapshot_collection(cls, *, snapshot_collection: Any, **_: Any) -> None:
        """Write the file atomically, with the same line breaks on every system."""
        snapshot = next(iter(snapshot_collection))
        write_whole(Path(snapshot_collection.location), [snapshot.data], "the snapshot")


@contextmanager
def opened_snapshot(request: pytest.FixtureRequest) -> Iterator[SnapshotAssertion]:
    """Open the snapshot of a test. When the test is done, keep mismatches for `planguard review`."""
    item = cast("pytest.Item", request.node)
    snapshot = _syrupys_own(request).use_extension(PlanSnapshot)
    extension = cast("PlanSnapshot", snapshot.extension)
    spec = item.stash.get(SPEC, None)
    extension.contracts = spec.contracts if spec is not None else ()
    extension.redact = _redaction(item, spec.redact if spec is not None else None)
    settings = settings_of(item.config)
    extension.cleaner = Cleaner(own_redaction(settings.redact, settings.keep).with_environment())
    extension.update_command = f"pytest {shlex.quote(item.nodeid)} --snapshot-update"
    yield snapshot
    if not settings_of(item.config).in_ci:
        _keep_pending(item, snapshot, extension)


def _syrupys_own(request: pytest.FixtureRequest) -> SnapshotAssertion:
    if not hasattr(request.config, "_syrupy"):
        pytest.fail(
            "planguard_snapshot needs syrupy's plugin, and it is switched off: "
            "take -p no:syrupy away, or add -p syrupy",
            pytrace=False,
        )
    found = request.getfixturevalue("snapshot")
    if not isinstance(found, SnapshotAssertion):
        name = type(found).__name__
        pytest.fail(f"planguard_snapshot needs syrupy's fixture snapshot; here it is a {name}", pytrace=False)
    return found


def _redaction(item: pytest.Item, of_marker: tuple[str, ...] | None) -> Redaction:
    words = of_marker if of_marker is not None else settings_of(item.config).snapshot_redact
    try:
        return redaction(words)
    except UsageError as error:
        pytest.fail(f"{item.nodeid}: redact={list(words)}: {error}", pytrace=False)


def _keep_pending(item: pytest.Item, snapshot: SnapshotAssertion, extension: PlanSnapshot) -> None:
    """Update the snapshots kept for review with the results of this test."""
    store = PendingStore(item.config.rootpath)
    try:
        for result in snapshot.executions.values():
            path = _shown(item.config.rootpath, result.snapshot_location)
            if result.success:
                store.drop(path)
            elif isinstance(result.asserted_data, str):
                before, after = cast("str | None", result.recalled_data), result.asserted_data
                rows = changed_rows(before, after, extension.contracts) if before else new_rows(after)
                store.keep(PendingSnapshot(item.nodeid, path, before, after, "\n".join(rows)))
    except RunError as error:
        warnings.warn(PlanguardWarning(str(error)), stacklevel=2)


def _shown(root: Path, location: str) -> str:
    """Return a path with forward slashes, relative to the root folder if inside it."""
    path = Path(location)
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.as_posix()


def _filtered(
    value: Any, path: Trail, exclude: Callable[..., bool] | None, include: Callable[..., bool] | None, matcher: Any
) -> object:
    """Apply syrupy's own filters to plain data. They see JSON types: a date is already a string."""
    value = matcher(data=value, path=path) if matcher else value
    if isinstance(value, dict):
        kept = _kept(value, path, exclude, include)
        return {k: _filtered(v, (*path, (k, type(v))), exclude, include, matcher) for k, v in kept.items()}
    if isinstance(value, list):
        return [_filtered(v, (*path, (i, type(v))), exclude, include, matcher) for i, v in enumerate(value)]
    return value if value is None or isinstance(value, str | int | float) else repr(value)


def _kept(
    value: Mapping[str, object],
    path: Trail,
    exclude: Callable[..., bool] | None,
    include: Callable[..., bool] | None,
) -> dict[str, object]:
    return {
        key: item
        for key, item in value.items()
        if not (exclude and exclude(prop=key, path=path)) and (not include or include(prop=key, path=path))
    }
