"""Read cassettes: vcrpy's files (YAML, JSON), pydantic-ai's variant with parsed bodies, LangChain's of two lists.

Nothing is written here, vcr is not imported, and no tag in a file constructs an object.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ...errors import CassetteError
from ...wire.decode import decode
from ...wire.exchange import Exchange, Message
from ...wire.untrusted_json import mapping
from .cassette_file import RESTORE, CassetteFile, read_document, read_journal
from .end_mark import EndMark, mark_of
from .interaction import Interaction, collect
from .packed import PACKED_SUFFIXES
from .vcr_messages import body_bytes, request_message, response_message

SUFFIXES = (".yaml", ".yml", ".json")
"""Names of cassettes in a folder end in one of these."""


@dataclass(frozen=True, slots=True)
class RawInteraction:
    """One recorded request and response, free of the file's form but not yet read in any dialect."""

    request: Message
    response: Message
    raw: Mapping[str, Any]
    """The interaction as the file has it."""

    @property
    def as_recorded(self) -> Interaction:
        """The interaction as it is written again, its bodies as they stand in the file."""
        request, response = self.raw["request"], self.raw["response"]
        status = mapping(response.get("status"))
        return Interaction(
            self.request.method,
            self.request.url,
            collect(mapping(request.get("headers")).items()),
            body_bytes(request),
            self.response.status,
            str(status.get("message") or ""),
            collect(mapping(response.get("headers")).items()),
            body_bytes(response),
        )


@dataclass(frozen=True)
class Cassette:
    """A cassette as read from disk."""

    path: Path
    format: str
    """"yaml" or "json", with "+parsed_body" where bodies stand as data (pydantic-ai's variant)."""
    interactions: tuple[RawInteraction, ...]
    document: CassetteFile
    """The file's plain content."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know about the file, one line each."""
        return (*self.document.form_notes, *self.doubts)

    @cached_property
    def doubts(self) -> tuple[str, ...]:
        """Why the file may not hold what was recorded, one line each; the digest is worked out on first use."""
        return (*self.document.doubts, *_changed_since(self.document.mark, self.interactions))

    @cached_property
    def exchanges(self) -> tuple[Exchange, ...]:
        """The interactions as exchanges, numbered from 1, decoded on first use."""
        return tuple(
            decode(number, interaction.request, interaction.response)
            for number, interaction in enumerate(self.interactions, start=1)
        )


def read_cassette(path: str | os.PathLike[str]) -> Cassette:
    """Read a cassette.

    Raises CassetteError, with the file's name and the way out, for a file that is missing, unreadable, empty, binary,
    not UTF-8, cut off, no YAML or JSON, too large, or no cassette.
    """
    file = Path(path)
    document = read_document(file)
    interactions = _all_of(file, document)
    parsed = any("parsed_body" in half for i in interactions for half in (i.raw["request"], i.raw["response"]))
    form = f"{document.format}+parsed_body" if parsed else document.format
    return Cassette(file, form, interactions, document)


def interactions_of(part: Path, text: str) -> tuple[RawInteraction, ...]:
    """Read the text of a cassette without an end mark, as a journal has it. Raises CassetteError."""
    return _all_of(part, read_journal(part, text))


def _all_of(file: Path, document: CassetteFile) -> tuple[RawInteraction, ...]:
    return tuple(_interaction(file, number, raw) for number, raw in enumerate(document.interactions, start=1))


def _changed_since(mark: EndMark | None, interactions: tuple[RawInteraction, ...]) -> Iterator[str]:
    """What an end mark says about the exchanges that are there: others were added, or one was edited."""
    if mark is None:
        return
    added = len(interactions) - mark.count
    if added:
        told = "1 exchange was" if added == 1 else f"{added:,} exchanges were"
        yield f"{told} added after its end mark, by another tool or by hand"
    if mark_of(raw.as_recorded for raw in interactions[: mark.count]) != mark:
        yield "changed by hand after it was recorded: its end mark has another digest"


def find_cassettes(paths: Iterable[str | os.PathLike[str]]) -> Iterator[Path]:
    """The cassettes under files and folders, each once, sorted within a folder; a file given by name is taken as is.

    Raises CassetteError for a path that does not exist. Folders are searched without following links.
    """
    seen: set[Path] = set()
    for path in map(Path, paths):
        if not path.exists():
            raise CassetteError(f"{path}: no such file or folder; give a cassette, or a folder that has some")
        for file in _below(path) if path.is_dir() else [path]:
            if file not in seen:
                seen.add(file)
                yield file


def _below(folder: Path) -> list[Path]:
    walk = os.walk(folder)
    suffixes = (*SUFFIXES, *PACKED_SUFFIXES)
    return sorted(Path(root, name) for root, _, names in walk for name in names if name.lower().endswith(suffixes))


def _interaction(file: Path, number: int, raw: Any) -> RawInteraction:
    halves = [raw.get(half) if isinstance(raw, dict) else None for half in ("request", "response")]
    request, response = halves
    if not isinstance(request, dict) or not isinstance(response, dict):
        missing = "request" if not isinstance(request, dict) else "response"
        raise CassetteError(
            f"{file}: interaction {number} has no {missing}; the file is half-written or no cassette. {RESTORE}"
        )
    try:
        found = RawInteraction(request_message(request), response_message(response), raw)
    except (ValueError, TypeError) as error:
        raise CassetteError(
            f"{file}: interaction {number} has a parsed_body that is no JSON value ({error}). {RESTORE}"
        ) from None
    if not found.response.status:
        raise CassetteError(
            f"{file}: interaction {number} has a response without a status; the file is half-written or no cassette. "
            f"{RESTORE}"
        )
    return found
