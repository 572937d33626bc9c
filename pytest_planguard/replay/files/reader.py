"""Read cassettes: vcrpy's YAML and JSON files, and the variants that pydantic-ai and LangChain write.

Nothing is written, vcr is not imported, and no tag in a file constructs an object.
"""

from __future__ import annotations

import base64
import binascii
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from ...document.limits import MAX_DEPTH
from ...errors import CassetteError
from ...wire.assistant_threads import with_later_answers
from ...wire.body import MAX_BODY, unpack
from ...wire.decode import decode
from ...wire.exchange import MODEL_HEADER, Exchange, Message
from ...wire.untrusted_json import children, mapping, whole, words
from .cassette_file import CassetteFile, read_document, read_journal, restored
from .cassette_text import referenced
from .interaction import EndMark, Headers, Interaction, collect, mark_of
from .packed import MAX_UNPACKED, PACKED_SUFFIXES

SUFFIXES = (".yaml", ".yml", ".json")
"""Suffixes of cassette files in a folder."""
_MOST = 2 * MAX_UNPACKED
"""Maximum size of all bodies of a cassette. Aliases, references and packed bodies make a small file large."""


@dataclass(frozen=True, slots=True)
class RawInteraction:
    """One recorded request and response, independent of the file format, before a dialect reads it."""

    request: Message
    response: Message
    raw: Mapping[str, Any]
    """The interaction as the file holds it."""

    @property
    def as_recorded(self) -> Interaction:
        """The interaction to write back, with the bodies that the file has."""
        request, response = self.raw["request"], self.raw["response"]
        status = mapping(response.get("status"))
        return Interaction(
            self.request.method,
            self.request.url,
            _written(request, self.request),
            body_bytes(request),
            self.response.status,
            str(status.get("message") or ""),
            _written(response, self.response),
            body_bytes(response),
        )


def _written(half: Mapping[str, object], read: Message) -> Headers:
    """Return the headers as in the file. Headers in an early format keep the form in which they were read."""
    headers = half.get("headers")
    return collect((headers if isinstance(headers, dict) else read.headers).items())


@dataclass(frozen=True)
class Cassette:
    """A cassette as read from disk."""

    path: Path
    interactions: tuple[RawInteraction, ...]
    document: CassetteFile
    """The file's plain content."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on the file for people, one line each."""
        return (*self.document.form_notes, *self.doubts)

    @cached_property
    def doubts(self) -> tuple[str, ...]:
        """Signs that the file was edited after recording, one line each. The digest is computed on first use."""
        return (*self.document.doubts, *_changed_since(self.document.mark, self.interactions))

    @property
    def for_model(self) -> str | None:
        """The model that the recorded test names: one of `models=[...]`, or its parameter `model`."""
        named = (interaction.request.headers.get(MODEL_HEADER) for interaction in self.interactions)
        return next(filter(None, named), None)

    @cached_property
    def exchanges(self) -> tuple[Exchange, ...]:
        """The interactions as exchanges, with 1-based numbers. Decoded on first use."""
        return with_later_answers(
            decode(number, interaction.request, interaction.response)
            for number, interaction in enumerate(self.interactions, start=1)
        )


def read_cassette(path: str | os.PathLike[str]) -> Cassette:
    """Read a cassette.

    Raises CassetteError for a file that is missing, unreadable, empty, binary, not UTF-8, truncated, too large, neither
    YAML nor JSON, or not a cassette. The message names the file and says what to do.
    """
    file = Path(path)
    document = read_document(file)
    return Cassette(file, _all_of(file, document), document)


def interactions_of(part: Path, text: str) -> tuple[RawInteraction, ...]:
    """Read the text of a cassette without an end mark, such as a journal. Raises CassetteError."""
    return _all_of(part, read_journal(part, text))


def _all_of(file: Path, document: CassetteFile) -> tuple[RawInteraction, ...]:
    found: list[RawInteraction] = []
    size = 0
    for number, raw in enumerate(document.interactions, start=1):
        found.append(_interaction(file, number, raw))
        size += len(found[-1].request.body) + len(found[-1].response.body)
        if size > _MOST:
            raise CassetteError(
                f"{file}: its bodies have more than the {_MOST:,} bytes that are read; {restored(file)}"
            )
    return tuple(found)


def _changed_since(mark: EndMark | None, interactions: tuple[RawInteraction, ...]) -> Iterator[str]:
    """Yield how the exchanges differ from the end mark: an exchange was added or edited."""
    if mark is None:
        return
    added = len(interactions) - mark.count
    if added:
        told = "1 exchange was" if added == 1 else f"{added:,} exchanges were"
        yield f"{told} added after its end mark, by another tool or by hand"
    if mark_of(raw.as_recorded for raw in interactions[: mark.count]) != mark:
        yield "changed by hand after it was recorded: its end mark has another digest"


def find_cassettes(paths: Iterable[str | os.PathLike[str]]) -> Iterator[Path]:
    """Yield the cassettes under files and folders, each once, sorted within a folder. A named file is always included.

    Raises CassetteError for a path that does not exist. Links to folders are not followed.
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


# "https://", "a.test:99x", "/v1?q": the server ends before a path, a query or a fragment.
_SERVER = re.compile(r"((?:[\w+.-]*:)?//|)([^/?#]*)(.*)", re.DOTALL)
_PASSED_OVER = dict.fromkeys(map(ord, "\t\r\n"))


def _interaction(file: Path, number: int, raw: Any) -> RawInteraction:
    halves = [raw.get(half) if isinstance(raw, dict) else None for half in ("request", "response")]
    request, response = halves
    if not isinstance(request, dict) or not isinstance(response, dict):
        missing = "request" if not isinstance(request, dict) else "response"
        raise CassetteError(
            f"{file}: interaction {number} has no {missing}; the file is half-written or not a cassette. "
            f"{restored(file)}"
        )
    try:
        found = RawInteraction(request_message(request), response_message(response), raw)
    except (ValueError, TypeError) as error:
        raise CassetteError(
            f"{file}: interaction {number} has a body that cannot be read ({error}). {restored(file)}"
        ) from None
    if not found.response.status:
        raise CassetteError(
            f"{file}: interaction {number} has a response without a status; the file is half-written or not a "
            f"cassette. {restored(file)}"
        )
    return found


def request_message(request: Mapping[str, object]) -> Message:
    """Return the recorded request, de-chunked and decompressed."""
    headers = plain_headers(request.get("headers"))
    method = words(request.get("method")) or "GET"
    return Message(headers, _plain(headers, request), method, _address(words(request.get("uri") or request.get("url"))))


def _address(url: str) -> str:
    """Return an address that Python can take apart, with the server encoded where it cannot.

    People mask servers in recordings: "https://[REDACTED].azure.com/", "http://127.0.0.1:PORT/". No client sends such
    an address, but the answers of its recording can be judged.
    """
    try:
        _ = urlsplit(url).port
    except ValueError:
        # Python passes over line breaks and tabs: it reads "/\n/[a" as "//[a".
        scheme, server, rest = _SERVER.fullmatch(url.translate(_PASSED_OVER)).groups()  # type: ignore[union-attr]  # it matches any text
        return f"{scheme}{quote(server, safe='%', errors='surrogatepass')}{rest}"
    return url


def response_message(response: Mapping[str, object]) -> Message:
    """Return the recorded response, de-chunked and decompressed. Its status is 0 if the cassette has none."""
    headers = plain_headers(response.get("headers"))
    return Message(headers, _plain(headers, response), status=_status(response))


def plain_headers(headers: object) -> dict[str, str]:
    """Return headers with lower-case names. Several values of a name are joined by commas, as in HTTP."""
    if isinstance(headers, list):  # pairs, as an early form wrote them
        headers = {
            pair[0]: pair[1]
            for pair in headers
            if isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str | bytes)
        }
    return {
        _text(name).lower(): ", ".join(map(_text, value)) if isinstance(value, list) else _text(value)
        for name, value in mapping(headers).items()
    }


def body_bytes(message: Mapping[str, object]) -> bytes:
    """Return the recorded body, from any of the formats in use.

    `body` is a string, bytes, or a mapping with `string` or `base64_string`; a list holds its pieces, which may be
    references to an earlier answer. `parsed_body`
    holds the JSON value itself, or the text of a stream. Early httpx cassettes have `content`. Raises ValueError or
    TypeError for a parsed body that is not a JSON value: one that is too deep or cyclic, or that has a date as key.
    """
    if "parsed_body" in message:
        return _dumped(message["parsed_body"])
    body = message.get("body", message.get("content"))
    return _from_form(body)


def _from_form(body: object) -> bytes:
    if isinstance(body, list):
        return _joined(body)
    if not isinstance(body, dict):
        return _scalar_bytes(body)
    if "base64_string" in body:
        return _from_base64(body["base64_string"])
    if "encoding" in body and words(body["encoding"]).lower() == "base64":
        return _from_base64(body.get("string"))
    value = body.get("string", body.get("text"))
    return _from_form(value) if isinstance(value, list) else _scalar_bytes(value)


def _joined(pieces: list[Any]) -> bytes:
    """Return the pieces as one body. Raises ValueError if they are too long: aliases may repeat one of them."""
    texts, size = [], 0
    for piece in pieces:
        texts.append(_scalar_bytes(referenced(piece) if isinstance(piece, dict) else piece))
        size += len(texts[-1])
        if size > MAX_UNPACKED:
            raise ValueError(f"its pieces have more than the {MAX_UNPACKED:,} bytes that are read")
    return b"".join(texts)


def _scalar_bytes(value: object) -> bytes:
    if isinstance(value, bytes):
        return value
    return b"" if value is None or isinstance(value, dict | list) else str(value).encode("utf-8", "surrogatepass")


def _from_base64(value: object) -> bytes:
    try:
        return base64.b64decode(_scalar_bytes(value))
    except (binascii.Error, ValueError):
        return _scalar_bytes(value)


def _dumped(value: object) -> bytes:
    """Return a parsed body as JSON bytes; a string is only encoded."""
    if isinstance(value, str | bytes):
        return _scalar_bytes(value)
    _refuse_huge(value)
    # `default` writes a date, as which YAML reads the value of `due: 2026-01-31`.
    return json.dumps(value, ensure_ascii=False, default=str).encode("utf-8", "surrogatepass")


def _refuse_huge(value: object) -> None:
    """Raise ValueError for a value too large to write: aliases let a small file describe huge or cyclic data.

    At each level of nesting, a value is counted once and multiplied by its occurrences. Its weight is the minimum
    number of bytes to write it, without its children.
    """
    level = {id(value): (value, 1)}
    weight = 0
    for _ in range(MAX_DEPTH):
        weight += sum(times * (len(node) + 2 if isinstance(node, str | bytes) else 1) for node, times in level.values())
        if weight > MAX_BODY:
            raise ValueError(f"its aliases stand for more than the {MAX_BODY:,} bytes that are read")
        level = _next_level(level)
        if not level:
            return
    raise ValueError(f"nested deeper than {MAX_DEPTH} levels")


def _next_level(level: dict[int, tuple[Any, int]]) -> dict[int, tuple[object, int]]:
    following: dict[int, tuple[object, int]] = {}
    for node, times in level.values():
        for child in children(node):
            following[id(child)] = (child, times + following.get(id(child), (child, 0))[1])
    return following


def _plain(headers: Mapping[str, str], message: Mapping[str, object]) -> bytes:
    return unpack(headers, body_bytes(message)).body


def _status(response: Mapping[str, object]) -> int:
    status = response.get("status")
    status = response.get("status_code") if status is None else status
    code = status.get("code") if isinstance(status, dict) else status
    # "200" in quotes, as early cassettes have it; a longer number may be one that `int` refuses.
    if isinstance(code, str) and code.isdecimal() and len(code) == 3:
        return int(code)
    return whole(code) or 0


def _text(value: object) -> str:
    if type(value) is str:  # nearly always
        return value
    if isinstance(value, bytes):
        return value.decode("latin-1")
    return "" if value is None or isinstance(value, dict | list) else str(value)
