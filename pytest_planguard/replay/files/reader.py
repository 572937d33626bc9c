"""Read recordings: vcrpy's files (YAML, JSON), pydantic-ai's variant with parsed bodies, LangChain's of two lists.

Nothing is written here, vcr is not imported, and no tag in a file constructs an object.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn

from ...document.json.json_scan import opens_too_deep
from ...errors import CassetteError
from ...wire.decode import decode
from ...wire.exchange import Exchange, Message
from .packed import MAX_UNPACKED, PACKED_SUFFIXES, unpacked
from .safe_yaml import load_plain
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
    suffixes = (*SUFFIXES, *PACKED_SUFFIXES)
    return sorted(Path(root, name) for root, _, names in walk for name in names if name.lower().endswith(suffixes))


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


# A recording file to its list of interactions, with one clear error for everything that is none.

WAY_OUT = "It is not a recording; name another file. Answers and plans are judged by `planguard check`"
RESTORE = "Restore it from version control, or record the test again"


@dataclass(frozen=True, slots=True)
class RecordingFile:
    """The plain content of a recording file."""

    format: str
    """"yaml" or "json"."""
    interactions: list[Any]
    notes: tuple[str, ...] = ()


def read_document(file: Path) -> RecordingFile:
    """Read a recording file. Raises CassetteError with the file's name and the way out."""
    if file.name.endswith(".part"):
        _refuse(
            file,
            "is a recording that was not finished",
            "Record the test again; or make a recording of what is there: planguard recover FILE",
        )
    content = unpacked(_bytes(file))
    if len(content) > MAX_UNPACKED:
        _refuse(file, f"has more than the {MAX_UNPACKED:,} bytes that are read, unpacked", "Split the recording")
    text = _text(file, content)
    form, document = _parse(file, text)
    if isinstance(document, list) and document and all(isinstance(entry, dict) for entry in document):
        return RecordingFile(form, document, ("an early vcrpy file: a bare list without version",))
    if isinstance(document, dict) and (pairs := _pairs(file, document)):
        return RecordingFile(form, pairs, ("requests and responses in a list each",))
    if not isinstance(document, dict) or not isinstance(document.get("interactions"), list):
        _refuse(file, f"has no list of `interactions`: {_describe(document)}", WAY_OUT)
    notes = () if "version" in document else ("no `version` after the interactions: the file may be cut off",)
    return RecordingFile(form, document["interactions"], notes)


def _pairs(file: Path, document: dict[str, Any]) -> list[Any]:
    """Return the interactions of a file with a list of requests and one of responses, as LangChain's serializer has it.

    [] for any other file. Raises CassetteError where one list is longer: nobody can tell which answer is missing.
    """
    requests, responses = document.get("requests"), document.get("responses")
    if not isinstance(requests, list) or not isinstance(responses, list) or "interactions" in document:
        return []
    if len(requests) != len(responses):
        _refuse(file, f"has {len(requests)} requests and {len(responses)} responses", RESTORE)
    return [{"request": request, "response": response} for request, response in zip(requests, responses, strict=True)]


def _bytes(file: Path) -> bytes:
    try:
        found = file.stat()
        if stat.S_ISCHR(found.st_mode) or stat.S_ISBLK(found.st_mode):
            _refuse(file, "is a device, which may have no end", WAY_OUT)
        if found.st_size > MAX_UNPACKED:
            _refuse(
                file,
                f"has {found.st_size:,} bytes, more than the {MAX_UNPACKED:,} that are read",
                "Split the recording",
            )
        content = file.read_bytes()
    except FileNotFoundError:
        raise CassetteError(f"{file}: no such recording; record it, or correct the path") from None
    except IsADirectoryError:
        raise CassetteError(f"{file}: is a folder; name a recording in it") from None
    except OSError as error:
        raise CassetteError(f"{file}: cannot be read ({error.strerror or error}); make it readable") from None
    if not content.strip():
        _refuse(file, "is empty", RESTORE)
    return content


def _text(file: Path, content: bytes) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        _refuse(file, "is UTF-16", "Save it as UTF-8")
    if b"\0" in content:
        _refuse(file, "is binary, not a recording in YAML or JSON", "Name another file, or restore it")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        _refuse(file, f"is not UTF-8 (byte 0x{content[error.start]:02x} in line {line})", "Save it as UTF-8")


def _parse(file: Path, text: str) -> tuple[str, Any]:
    if text.lstrip()[:1] in ("{", "["):
        try:
            return "json", json.loads(text)
        except (ValueError, RecursionError) as error:
            if isinstance(error, RecursionError) or opens_too_deep(text):
                _refuse(file, "is nested too deeply for a recording", RESTORE)
            if file.suffix.lower() == ".json":
                _refuse(file, f"is no JSON: {error}", f"It may be half-written. {RESTORE}")
    return "yaml", _from_yaml(file, text)


def _from_yaml(file: Path, text: str) -> Any:
    import yaml

    try:
        return load_plain(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
        _refuse(file, f"is no YAML: {place}{error.problem or error.context}", f"It may be half-written. {RESTORE}")
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        _refuse(file, f"cannot be read as YAML: {' '.join(str(error).split())}", RESTORE)


def _describe(document: Any) -> str:
    if isinstance(document, dict):
        keys = ", ".join(str(key)[:40] for key in list(document)[:5])
        return f"its keys are {keys}" if keys else "it is an empty mapping"
    if document is None:
        return "it is empty"
    if isinstance(document, (str, list)):
        return "it is a text" if isinstance(document, str) else "it is a list"
    return f"it is one {type(document).__name__}"


def _refuse(file: Path, what: str, way_out: str) -> NoReturn:
    raise CassetteError(f"{file}: {what}. {way_out}")
