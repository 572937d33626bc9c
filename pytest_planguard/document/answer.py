"""Read one answer of a model: find the document in it, parse it, and say what is wrong with it. Never raises.

A sound JSON answer needs none of what words a problem or finds its place: that loads with the first that does.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from .json_load import is_too_deep, load_bare
from .limits import MAX_SIZE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .path import Path
    from .problem import Note, Problem
    from .reading import Reading
    from .span import Span

Format = Literal["auto", "json", "yaml", "markdown"]
Extract = Literal["embedded", "whole"]


@dataclass(frozen=True, slots=True)
class Document:
    """What a model wrote, taken apart."""

    text: str
    """The whole answer. A byte order mark at its start is not part of it."""
    body: str
    """The document without what stood around it: text[offset : offset + len(body)]."""
    offset: int
    """Where `body` starts in `text`: a 0-based character offset."""
    format: str
    """"json", "yaml" or "markdown"; "json" where no document was found and the format was not given."""
    data: Any
    """The parsed document: dict, list, str, int, float, bool or None; the body itself for Markdown. Also there, for
    inspection, where a problem leaves the value readable (equal keys, a wrapper that `extract="whole"` forbids)."""
    problems: tuple[Problem, ...] = ()
    """Why the answer is no sound document; empty for a sound one."""
    notes: tuple[Note, ...] = ()
    """What was taken off around the document (`extract="embedded"`)."""

    @property
    def ok(self) -> bool:
        """True where `data` is the sound document of the answer."""
        return not self.problems

    @property
    def json_text(self) -> str | None:
        """The text of a sound JSON document, which a validator may read itself; None for any other."""
        return None if self.problems or self.format != "json" else self.body

    def locate(self, path: Path) -> Span | None:
        """Where the value at `path` stands in `text`; None where nothing stands there.

        For a key that is missing, ask for its parent. For many paths of one document `locate_many` is cheaper.
        """
        return self.locate_many((path,)).get(path)

    def locate_many(self, paths: Iterable[Path]) -> dict[Path, Span]:
        """Where the values at `paths` stand in `text`; a path that leads nowhere is left out. One pass."""
        from .locate import locate_many

        return locate_many(self, paths)


def read(text: str | bytes, *, format: Format = "auto", extract: Extract = "embedded") -> Document:  # noqa: A002
    """Read an answer.

    Args:
        text: what the model wrote; bytes must be UTF-8, with or without a byte order mark.
        format: what the document must be. "auto" decides by content, in this order: JSON where the text starts like
            JSON or a code fence says or holds JSON; YAML for a fence that says so, or where every line that starts at
            column 1 is a key, a list item or a comment and the text parses as a mapping or a list; JSON that stands in
            prose; Markdown where there are headings, a list or a table. Everything else is prose.
        extract: "embedded" takes the document out of a thinking block, a code fence and surrounding prose and notes
            each; "whole" reads the same and makes a problem of each note, so that only the bare document is sound.

    Returns:
        The document. Whatever is wrong stands in its `problems`; nothing is raised, guessed or repaired.
    """
    if isinstance(text, bytes):
        return _read_bytes(text, format, extract)
    return _read_text(text[1:] if text.startswith("\ufeff") else text, format, extract)


def _read_bytes(raw: bytes, format_name: Format, extract: Extract) -> Document:
    from .encoding import decode

    text, problem = decode(raw)
    return _read_text(text, format_name, extract) if problem is None else _unread(text, format_name, problem)


def _read_text(text: str, format_name: Format, extract: Extract) -> Document:
    if len(text) > MAX_SIZE:
        return _unread(text, format_name, _too_large(text))
    clean = _read_clean(text) if format_name in ("auto", "json") else None
    return clean or _read_any(text, format_name, extract)


def _unread(text: str, format_name: Format, problem: Problem) -> Document:
    return Document(text, text, 0, "json" if format_name == "auto" else format_name, None, (problem,))


def _too_large(text: str) -> Problem:
    from .problem import Problem

    message = f"the answer has {len(text):,} characters; more than {MAX_SIZE:,} are not read"
    return Problem("too_large", message, None, f"at most {MAX_SIZE:,} characters", f"{len(text):,} characters")


def _read_clean(text: str) -> Document | None:
    """The cheap way for the common case: the whole answer is one sound JSON document."""
    body = text.strip()
    if not body or body[0] not in '{["-0123456789tfn':
        return None
    try:
        data = load_bare(body)
    except (ValueError, RecursionError):
        return None
    if is_too_deep(data, body):
        return None
    offset = 0 if len(body) == len(text) else text.index(body[0])
    return Document(text, body, offset, "json", data)


def _read_any(text: str, format_name: Format, extract: Extract) -> Document:
    from .formats import read_as

    reading = read_as(text, format_name)
    if extract == "whole":
        reading = _strict(reading)
    body = text[reading.start : reading.end]
    return Document(text, body, reading.start, reading.format, reading.data, reading.problems, reading.notes)


def _strict(reading: Reading) -> Reading:
    """Nothing may stand around the document: each note becomes a problem, after those of the document itself."""
    from .problem import Problem

    around = tuple(
        Problem(note.code, f"{note.message}; the whole answer must be the document", note.span, "the bare document")
        for note in reading.notes
    )
    return replace(reading, problems=reading.problems + around, notes=())
