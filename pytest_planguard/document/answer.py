"""Read one answer of a model: find the document in it, parse it, and say what is wrong with it. Never raises."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from .encoding import decode
from .json_load import load_bare
from .json_scan import is_too_deep
from .limits import MAX_SIZE
from .locate import locate_many
from .problem import Note, Problem

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .path import Path
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

    def locate(self, path: Path) -> Span | None:
        """Where the value at `path` stands in `text`; None where nothing stands there.

        For a key that is missing, ask for its parent. For many paths of one document `locate_many` is cheaper.
        """
        return self.locate_many((path,)).get(path)

    def locate_many(self, paths: Iterable[Path]) -> dict[Path, Span]:
        """Where the values at `paths` stand in `text`; a path that leads nowhere is left out. One pass."""
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
    whole, problem = (_without_mark(text), None) if isinstance(text, str) else decode(text)
    if problem is None and len(whole) > MAX_SIZE:
        message = f"the answer has {len(whole):,} characters; more than {MAX_SIZE:,} are not read"
        problem = Problem("too_large", message, None, f"at most {MAX_SIZE:,} characters", f"{len(whole):,} characters")
    if problem is not None:
        return Document(whole, whole, 0, "json" if format == "auto" else format, None, (problem,))
    clean = _read_clean(whole) if format in ("auto", "json") else None
    return clean or _read_any(whole, format, extract)


def _without_mark(text: str) -> str:
    return text[1:] if text.startswith("\ufeff") else text


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
    around = tuple(
        Problem(note.code, f"{note.message}; the whole answer must be the document", note.span, "the bare document")
        for note in reading.notes
    )
    return replace(reading, problems=reading.problems + around, notes=())
