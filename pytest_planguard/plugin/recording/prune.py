"""`--planguard-prune`: a case that was recorded leaves no cassettes behind in variants that its test no longer has.

The cassettes of all its samples go.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from ...replay.files.names import first_sample
from ..commands import shown_path
from ..marker.identity import cassette_path
from ..options import RECORDING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ..case import Case


def prune(case: Case) -> None:
    """Remove the older variants of a cassette that was just made, where the command line asks for it.

    A variant is older when the marker's `models` do not name it, or, without `models`, when it is not the one of this
    run. Without the option every variant stays, whatever is recorded.
    """
    asked = case.item.config.getoption("--planguard-prune") and case.settings.record in RECORDING
    if not asked or case.spec.cassette is not None or not case.recording.recorded:
        return
    for path in list(_older(case)):
        path.unlink()
        case.pruned.append(shown_path(case.item.config, path))
        with suppress(OSError):  # other cassettes are left in the variant
            path.parent.rmdir()


def _older(case: Case) -> Iterator[Path]:
    specs = [case.spec._replace(model=model) for model in case.spec.models] or [case.spec]
    kept = {cassette_path(case.item, spec, case.key).parent.name for spec in specs}
    first = case.sample_path(1)
    found = sorted(first.parent.parent.glob(f"*/{first.stem}*{first.suffix}"))
    return (path for path in found if first_sample(path).name == first.name and path.parent.name not in kept)
