"""Open the recording of a case: for replay, for recording, or as the empty one of a test that has none."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

from ..case import IDENTIFIED
from .null_recording import EmptyTape

if TYPE_CHECKING:
    from ..case import Case
    from .recording import Tape

FOLDERS: pytest.StashKey[dict[Path, bool]] = pytest.StashKey()
"""Test file to whether there are recordings beside it."""


def open_tape(case: Case, mode: str | None = None) -> Tape | EmptyTape | None:
    """Open the recording of a case, or what stands for one that is neither there nor to be made.

    `mode` is the record mode, by default that of the run. None for a test that only checks answers where the network
    is not blocked.
    """
    settings, spec = case.settings, case.spec
    if spec.mode == "check":
        return EmptyTape(case) if settings.block_network else None
    exists = _exists(case)
    record = mode or settings.record
    if record == "verify" and not case.path.is_file():
        record = "none"  # there is nothing to hold a live answer against
    if not exists and record == "none" and settings.block_network:
        return EmptyTape(case)
    from ...replay.session.cassette import open_cassette
    from .recording import Tape
    from .recording_limits import limits_of

    limits = limits_of(case.item.config)
    return Tape(
        case,
        open_cassette(
            case.path,
            mode=cast("Any", record),
            match=cast("Any", settings.match or spec.match or settings.default_match),
            contracts=spec.contracts,
            allowed_hosts=settings.allowed_hosts,
            conversation_id=IDENTIFIED.get,
            max_age_s=limits.age_of(spec),
            block_network=settings.block_network,
            command=case.record_command(("all" if record == "all" else "stale") if exists else "missing"),
            shown_as=case.shown_path,
            allowance=limits.allowance,
        ),
    )


def _exists(case: Case) -> bool:
    """Whether there is a recording, or the beginning of one that was interrupted."""
    if case.spec.cassette is None and case.settings.record == "none" and not _has_recordings(case):
        return False
    return case.path.exists() or case.path.with_name(f"{case.path.name}.part").exists()


def _has_recordings(case: Case) -> bool:
    """Whether there is any recording beside a test file; looked up once a folder, since a replay writes none."""
    known = case.item.config.stash.setdefault(FOLDERS, {})
    file = case.item.path  # one object for all tests of a file, so its hash is at hand; its folder's is not
    found = known.get(file)
    if found is None:
        found = known[file] = (file.parent / case.settings.cassette_dir).is_dir()
    return found
