"""Read a cassette file as a list of interactions, with one clear error for every file that is not a cassette."""

from __future__ import annotations

import json
import re
import shlex
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from ...document.formats.json_load import opens_too_deep
from ...errors import CassetteError
from .interaction import EndMark, find_mark, has_head
from .packed import MAX_UNPACKED, is_packed, most_unpacked, unpacked, unpacked_size
from .safe_yaml import load_plain

WAY_OUT = "Name another file, or use `planguard check` for answers and plans"


def restored(file: Path) -> str:
    """Return what to do about a damaged cassette."""
    command = f"planguard cassette restore {shlex.quote(str(file))}"
    return f"Restore it with `{command}`, or record it again with --planguard-record=all"


@dataclass(frozen=True, slots=True)
class CassetteFile:
    """The plain content of a cassette file."""

    interactions: list[Any]
    form_notes: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    mark: EndMark | None = None


def read_document(file: Path) -> CassetteFile:
    """Read a cassette file. Raises CassetteError with the file's name and what to do."""
    if file.name.endswith(".part"):
        _refuse(
            file,
            "is a cassette that was not finished",
            "Record the test again, or turn it into a cassette: planguard cassette recover FILE",
        )
    text = _text(file, _content(file))
    mark = None if _opens_json(text) else _mark(file, text)
    document = _file_of(file, _parse(file, text), mark)
    if mark is not None:
        _refuse_other_count(file, len(document.interactions), mark)
    return document


def _content(file: Path) -> bytes:
    """Return the bytes of a cassette, unpacked. Raises CassetteError."""
    content = _bytes(file)
    if not is_packed(content):
        return content
    size, most = unpacked_size(content), most_unpacked(len(content))
    if size is None:
        _refuse(file, "is not a complete gzip file: it was cut off or damaged", restored(file))
    if size > most:
        _refuse(file, f"has more than the {most:,} bytes that planguard unpacks", "Split the cassette")
    return unpacked(content)


def _mark(file: Path, text: str) -> EndMark | None:
    """Return the end mark of a cassette. Raises CassetteError if planguard wrote it and its mark is missing."""
    mark = find_mark(text)
    if mark is None and has_head(text):
        _refuse(file, "was cut off: the last line, which counts its exchanges, is missing", restored(file))
    return mark


def _refuse_other_count(file: Path, count: int, mark: EndMark) -> None:
    """Raise CassetteError for missing exchanges, and for added ones unless they come after the mark."""
    if count == mark.count or (count > mark.count and not mark.is_last):
        return
    told = f"{count:,} {'exchange' if count == 1 else 'exchanges'}"
    _refuse(file, f"has {told}, and its end mark says {mark.count:,}: it was cut off or edited by hand", restored(file))


def read_journal(part: Path, text: str) -> CassetteFile:
    """Read the text of a cassette without an end mark. Raises CassetteError."""
    return _file_of(part, _from_yaml(part, text), None)


def _file_of(file: Path, document: object, mark: EndMark | None) -> CassetteFile:
    """Return the interactions of a file's data, in any of its forms. Raises CassetteError."""
    if isinstance(document, list) and document and all(isinstance(entry, dict) for entry in document):
        return CassetteFile(document, ("an early vcrpy file: a bare list without version",), mark=mark)
    if isinstance(document, dict) and (pairs := _pairs(file, document)):
        return CassetteFile(pairs, ("requests and responses in a list each",), mark=mark)
    if not isinstance(document, dict) or not isinstance(document.get("interactions"), list):
        _refuse(file, f"is not a cassette: it has no list `interactions` ({_describe(document)})", WAY_OUT)
    if document.get("version", 1) is None:
        _refuse(file, "was cut off after its last word, `version:`", restored(file))
    doubts = () if "version" in document else ("no `version` after the interactions: the file may be cut off",)
    return CassetteFile(document["interactions"], doubts=doubts, mark=mark)


def _pairs(file: Path, document: dict[str, Any]) -> list[object]:
    """Return the interactions of a file with a list of requests and one of responses, as LangChain's serializer writes.

    [] for any other file. Raises CassetteError if one list is longer, since any answer could be the missing one.
    """
    requests, responses = document.get("requests"), document.get("responses")
    if not isinstance(requests, list) or not isinstance(responses, list) or "interactions" in document:
        return []
    if len(requests) != len(responses):
        _refuse(file, f"has {len(requests)} requests and {len(responses)} responses", restored(file))
    return [{"request": request, "response": response} for request, response in zip(requests, responses, strict=True)]


def _bytes(file: Path) -> bytes:
    try:
        found = file.stat()
        if stat.S_ISCHR(found.st_mode) or stat.S_ISBLK(found.st_mode):
            _refuse(file, "is a device, not a cassette", WAY_OUT)
        if found.st_size > MAX_UNPACKED:
            _refuse(
                file,
                f"has {found.st_size:,} bytes, more than the {MAX_UNPACKED:,} that are read",
                "Split the cassette",
            )
        content = file.read_bytes()
    except FileNotFoundError:
        raise CassetteError(f"{file}: no such cassette; record it, or correct the path") from None
    except IsADirectoryError:
        raise CassetteError(f"{file}: is a folder; name a cassette in it") from None
    except OSError as error:
        raise CassetteError(f"{file}: cannot be read ({error.strerror or error}); make it readable") from None
    if not content or content.isspace():
        _refuse(file, "is empty", restored(file))
    return content


def _text(file: Path, content: bytes) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        _refuse(file, "is UTF-16", "Save it as UTF-8")
    if b"\0" in content:
        _refuse(file, "is binary, not a cassette in YAML or JSON", "Name another file, or restore it")
    try:
        return content.decode("utf-8-sig")  # an editor may have put a byte order mark in front
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        _refuse(file, f"is not UTF-8 (byte 0x{content[error.start]:02x} in line {line})", "Save it as UTF-8")


def _parse(file: Path, text: str) -> object:
    if _opens_json(text):
        try:
            return json.loads(text)
        except (ValueError, RecursionError) as error:
            if isinstance(error, RecursionError) or opens_too_deep(text):
                _refuse(file, "is nested too deeply for a cassette", restored(file))
            if file.suffix.lower() == ".json":
                _refuse_broken(file, text, f"is not valid JSON: {error}")
    return _from_yaml(file, text)


_CONFLICT = re.compile("^<{7} ", re.MULTILINE)
"""The line where git could not merge two sides: "<<<<<<< HEAD". The lines of a recorded text are indented."""


def _refuse_broken(file: Path, text: str, what: str) -> NoReturn:
    """Refuse a file that cannot be parsed, and say what to do about it."""
    found = _CONFLICT.search(text)
    if found is None:
        _refuse(file, what, f"It may be half-written. {restored(file)}")
    line = text.count("\n", 0, found.start()) + 1
    side = f"`git checkout --ours {shlex.quote(str(file))}` or --theirs"
    advice = f"Take one side with {side}, or record it again with --planguard-record=all"
    _refuse(file, f"has a conflict of a git merge in line {line}", advice)


def _opens_json(text: str) -> bool:
    return text.lstrip()[:1] in ("{", "[")


def _from_yaml(file: Path, text: str) -> object:
    import yaml

    try:
        return load_plain(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
        problem = error.problem or error.context
        _refuse_broken(file, text, f"is not valid YAML: {place}{problem}")
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        _refuse(file, f"cannot be read as YAML: {' '.join(str(error).split())}", restored(file))


def _describe(document: object) -> str:
    if isinstance(document, dict):
        keys = ", ".join(str(key)[:40] for key in list(document)[:5])
        return f"its keys: {keys}" if keys else "it is an empty mapping"
    if document is None:
        return "it is empty"
    if isinstance(document, (str, list)):
        return "it is plain text" if isinstance(document, str) else "it is a list"
    return f"it is a single {type(document).__name__}"


def _refuse(file: Path, what: str, way_out: str) -> NoReturn:
    raise CassetteError(f"{file}: {what}. {way_out}")
