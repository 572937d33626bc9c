"""Read recordings: plain vcrpy files (YAML and JSON) and pydantic-ai's variant with parsed bodies.

Nothing is written here, vcr is not imported, and no tag in a file constructs an object.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ..errors import CassetteError
from ..wire.decode import decode
from ..wire.exchange import Exchange, Message
from .recording_file import RESTORE, read_document
from .vcr_messages import request_message, response_message

SUFFIXES = (".yaml", ".yml", ".json")
"""Names of recordings in a folder end in one of these."""


@dataclass(frozen=True, slots=True)
class RawInteraction:
    """One recorded request and response, free of the file's form but not yet read in any dialect."""

    request: Message
    response: Message
    raw: Mapping[str, Any]
    """The interaction as the file has it."""


@dataclass(frozen=True)
class Recording:
    """A recording as read from disk."""

    path: Path
    format: str
    """"yaml" or "json", with "+parsed_body" where bodies stand as data (pydantic-ai's variant)."""
    interactions: tuple[RawInteraction, ...]
    notes: tuple[str, ...] = ()
    """What a reader should know about the file, one line each."""

    @cached_property
    def exchanges(self) -> tuple[Exchange, ...]:
        """The interactions as exchanges, numbered from 1, decoded on first use."""
        return tuple(
            decode(number, interaction.request, interaction.response)
            for number, interaction in enumerate(self.interactions, start=1)
        )


def read_recording(path: str | os.PathLike[str]) -> Recording:
    """Read a recording.

    Raises CassetteError, with the file's name and the way out, for a file that is missing, unreadable, empty, binary,
    not UTF-8, half-written, no YAML or JSON, too large, or no recording.
    """
    file = Path(path)
    document = read_document(file)
    interactions = tuple(_interaction(file, number, raw) for number, raw in enumerate(document.interactions, start=1))
    parsed = any("parsed_body" in half for i in interactions for half in (i.raw["request"], i.raw["response"]))
    return Recording(
        file, f"{document.format}+parsed_body" if parsed else document.format, interactions, document.notes
    )


def find_recordings(paths: Iterable[str | os.PathLike[str]]) -> Iterator[Path]:
    """The recordings under files and folders, each once, sorted within a folder; a file given by name is taken as is.

    Raises CassetteError for a path that does not exist. Folders are searched without following links.
    """
    seen: set[Path] = set()
    for path in map(Path, paths):
        if not path.exists():
            raise CassetteError(f"{path}: no such file or folder; give a recording, or a folder that has some")
        for file in _below(path) if path.is_dir() else [path]:
            if file not in seen:
                seen.add(file)
                yield file


def _below(folder: Path) -> list[Path]:
    walk = os.walk(folder)
    return sorted(Path(root, name) for root, _, names in walk for name in names if name.lower().endswith(SUFFIXES))


def _interaction(file: Path, number: int, raw: Any) -> RawInteraction:
    halves = [raw.get(half) if isinstance(raw, dict) else None for half in ("request", "response")]
    request, response = halves
    if not isinstance(request, dict) or not isinstance(response, dict):
        missing = "request" if not isinstance(request, dict) else "response"
        raise CassetteError(
            f"{file}: interaction {number} has no {missing}; the file is half-written or no recording. {RESTORE}"
        )
    try:
        return RawInteraction(request_message(request), response_message(response), raw)
    except (ValueError, TypeError) as error:
        raise CassetteError(
            f"{file}: interaction {number} has a parsed_body that is no JSON value ({error}). {RESTORE}"
        ) from None
