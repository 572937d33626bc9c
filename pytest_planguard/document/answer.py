"""Read one answer of a model: find and parse the document in it, and report problems with their places. Never raises.

A sound JSON answer needs no code for wording or locating problems: that code loads with the first problem.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from .formats.json_load import is_too_deep, load_bare
from .formats.json_places import locate_many as locate_json
from .limits import MAX_SIZE
from .positions import LineIndex

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import PurePath

    from .formats.reading import Problem, Reading
    from .path import Path
    from .positions import Span


Format = Literal["auto", "json", "yaml", "markdown"]
Extract = Literal["embedded", "whole"]


@dataclass(frozen=True, slots=True)
class Document:
    """A model's answer, taken apart."""

    text: str
    """The whole answer, without a byte order mark."""
    body: str
    """The document without the text around it: text[offset : offset + len(body)]."""
    offset: int
    """Start of `body` in `text`: a 0-based character offset."""
    format: str
    """"json", "yaml" or "markdown"; "json" if no document was found and no format was given."""
    data: Any
    """The parsed document: dict, list, str, int, float, bool or None; the body itself for Markdown. Also set, for
    inspection, if a problem leaves the value readable (equal keys, a wrapper that `extract="whole"` forbids)."""
    problems: tuple[Problem, ...] = ()
    """The reasons why the answer is not a sound document; empty for a sound one."""
    notes: tuple[Problem, ...] = ()
    """Text around the document that was removed (`extract="embedded"`)."""
    state: Mapping[str, str] = field(default_factory=dict)
    """Texts by name that the app showed while it asked, such as its files; {} if none were recorded."""

    @property
    def ok(self) -> bool:
        """True if `data` is the sound document of the answer."""
        return not self.problems

    @property
    def json_text(self) -> str | None:
        """The text of a sound JSON document, which a validator may read itself; None for any other."""
        return None if self.problems or self.format != "json" else self.body

    def locate(self, path: Path) -> Span | None:
        """Return the place of the value at `path` in `text`; None if there is no such value.

        For a missing key, ask for its parent. For many paths of one document, `locate_many` is cheaper.
        """
        return self.locate_many((path,)).get(path)

    def locate_many(self, paths: Iterable[Path]) -> dict[Path, Span]:
        """Return the places of the values at `paths` in `text`, in one pass; paths that lead nowhere are left out."""
        found = offsets(self, paths) if self.body else {}
        if not found:
            return {}
        places, shift = LineIndex(self.text), self.offset
        return {path: places.span(shift + start, shift + end) for path, (start, end) in found.items()}


def read(text: str | bytes, *, format: Format = "auto", extract: Extract = "embedded") -> Document:  # noqa: A002
    """Read an answer.

    Args:
        text: the model's text; bytes must be UTF-8, with or without a byte order mark.
        format: the format of the document. "auto" decides by content, in this order: JSON if the text starts like JSON,
            or if a code fence is marked as JSON or holds JSON; YAML for a fence marked as YAML, or if every line that
            starts at column 1 is a key, a list item or a comment and the text parses as a mapping or a list; JSON
            inside prose; Markdown if there are headings, a list or a table. Everything else is prose.
        extract: "embedded" takes the document out of a thinking block, a code fence and surrounding prose and notes
            each; "whole" reads the same but makes a problem of each note, so that only the bare document is sound.

    Returns:
        The document. Its `problems` list all faults; nothing is raised, guessed or repaired.
    """
    marked = isinstance(text, str) and text.startswith(BYTE_ORDER_MARK)  # of bytes, a JSON parser removes it
    text, problem = decode(text) if isinstance(text, bytes) else (text.removeprefix(BYTE_ORDER_MARK), None)
    if problem is None and len(text) > MAX_SIZE:
        problem = _too_large(len(text), MAX_SIZE, "characters")
    if problem is not None:
        return Document(text, text, 0, "json" if format == "auto" else format, None, (problem,))
    clean = _read_clean(text) if format in ("auto", "json") else None
    document = clean or _read_any(text, format, extract)
    if extract == "whole" and document.format == "json" and not document.problems:
        if marked:  # the mark is a part of the answer that is wrong
            document = replace(document, text=f"{BYTE_ORDER_MARK}{text}", offset=document.offset + 1)
        document = replace(document, problems=tuple(_odd_blanks(document)))
    return document


def _odd_blanks(document: Document) -> Iterator[Problem]:
    """Yield a problem for a character around a JSON document that looks blank, and that JSON parsers reject.

    JSON allows only blanks, tabs and line breaks there. `str.strip` also removes no-break spaces and form feeds.
    """
    from .formats.reading import Problem

    text, end = document.text, document.offset + len(document.body)
    around = (at for at in (*range(document.offset), *range(end, len(text))) if text[at] not in " \t\r\n")
    at = next(around, None)
    if at is not None:
        message = f"there is a U+{ord(text[at]):04X} around the document, which JSON parsers reject"
        span = LineIndex(text).span(at, at + 1)
        yield Problem("prose", f"{message}; the whole answer must be the document", span, "the bare document")


def _too_large(size: int, most: int, unit: str) -> Problem:
    from .formats.reading import Problem

    message = f"the answer has {size:,} {unit}; at most {most:,} are read"
    return Problem("too_large", message, None, f"at most {most:,} {unit}", f"{size:,} {unit}")


def _read_clean(text: str) -> Document | None:
    """Return the document if the whole answer is one sound JSON document: the fast path for the common case."""
    body = text.strip()
    # The first character of any JSON value. Markdown and YAML skip a parse that must fail.
    if not body or body[0] not in '{["-0123456789tfn':
        return None
    try:
        data = load_bare(body)
    except (ValueError, RecursionError):
        return None
    # The slow path reports the place at which it gets too deep.
    return None if is_too_deep(data, body) else Document(text, body, text.index(body[0]), "json", data)


def _read_any(text: str, format_name: Format, extract: Extract) -> Document:
    from .formats.choice import read_as

    reading = read_as(text, format_name)
    if extract == "whole":
        reading = _strict(reading)
    body = text[reading.start : reading.end]
    return Document(text, body, reading.start, reading.format, reading.data, reading.problems, reading.notes)


def _strict(reading: Reading) -> Reading:
    """Return a reading in which each note is also a problem, after the document's problems."""
    from .formats.reading import Problem

    around = tuple(
        Problem(note.code, f"{note.message}; the whole answer must be the document", note.span, "the bare document")
        for note in reading.notes
    )
    return replace(reading, problems=reading.problems + around, notes=())


# Locate the values of a document in the whole answer. Runs only if there is something to report.


def offsets(document: Document, paths: Iterable[Path]) -> dict[Path, tuple[int, int]]:
    """Return start and end of the values at `paths`, 0-based in the body; paths that lead nowhere are left out."""
    whole = (0, len(document.body))
    # Neither has parts: null, an answer that is not readable, and Markdown, whose data is its text.
    if document.data is None or document.format == "markdown":
        return {path: whole for path in paths if path == ()}
    if document.format == "json":
        equal_keys = any(problem.code == "duplicate_key" for problem in document.problems)
        return locate_json(document.body, paths, unique_keys=not equal_keys)
    from .formats.yaml_load import load_yaml

    return load_yaml(document.body, paths).offsets


# Bytes to text: UTF-8 only, with the place of the first other byte.

# UTF-32 first: its little-endian mark, FF FE 00 00, begins with the mark of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)
_MAX_BYTES = 4 * MAX_SIZE  # no character takes more bytes in UTF-8
BYTE_ORDER_MARK = "\ufeff"


def decode(raw: bytes) -> tuple[str, Problem | None]:
    """Return the text without its byte order mark; bytes that are not UTF-8 become U+FFFD and a problem."""
    raw = raw.removeprefix(codecs.BOM_UTF8)
    if len(raw) > _MAX_BYTES:
        return "", _too_large(len(raw), _MAX_BYTES, "bytes")
    try:
        return raw.decode("utf-8"), None
    except UnicodeDecodeError as error:
        return raw.decode("utf-8", "replace"), _encoding_problem(raw, error.start)


def _encoding_problem(raw: bytes, offset: int) -> Problem:
    from .formats.reading import Problem

    before = raw[:offset].decode("utf-8")
    span = LineIndex(before).span(len(before))
    looks = next((f" (it starts like {name})" for mark, name in _MARKS if raw.startswith(mark)), "")
    message = f"the answer is not UTF-8: byte 0x{raw[offset]:02X} at offset {offset:,}{looks}"
    return Problem("encoding", message, span, "UTF-8", f"0x{raw[offset]:02X}")


# The format by a file's name: a Markdown file may hold JSON in a fence, and a YAML file a text with one.

_BY_SUFFIX: dict[str, Format] = {".md": "markdown", ".markdown": "markdown", ".yaml": "yaml", ".yml": "yaml"}


def format_of(path: PurePath) -> Format | None:
    """Return the format for the file's suffix; None if the suffix decides nothing (`.json` does not)."""
    return _BY_SUFFIX.get(path.suffix.lower())
