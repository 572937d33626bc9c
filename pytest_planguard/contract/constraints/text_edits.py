"""Edits of files as a model writes them: unified diffs, and SEARCH/REPLACE blocks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...document.positions import Span
from ...errors import UsageError
from ..failure_kinds import FailureKind
from ..finding import Finding

if TYPE_CHECKING:
    from ...document.answer import Document

_NAME = re.compile(
    r"[#*` ]{0,9}+("
    r"(?>[\w-][^\s*`]{0,200}[./](?=[^\s*`:]))[^\s*`:]{1,200}+|(?>[^\s*`:]{1,200}/(?=[^\s*`:]))[^\s*`:]{1,200}+"
    r")[*`: ]{0,9}"
)  # only the last dot or slash is tried
"""`calc.py`, `**src/calc.py**`, "### calc.py:": the file alone on the line above a block."""
# The three lines of a block: "<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE"; models miscount their signs.
_SEARCH = re.compile(r"<{5,9} SEARCH\s*")
_DIVIDER = re.compile(r"={5,9}\s*")
_REPLACE = re.compile(r">{5,9} REPLACE\s*")
_HUNK = re.compile(r"@@ .*@@|@@ \.\.\. @@|@@\s*")
"""`@@ -50,4 +50,4 @@ def f():`, `@@ ... @@`, or `@@` alone."""
_NAME_LIMIT = 80
"""Maximum number of characters of a line that names an edit in a finding's path."""


@dataclass(frozen=True, slots=True)
class TextEdit:
    """One hunk of a diff, or one SEARCH/REPLACE block."""

    path: str
    """The file as the model names it; "" if it names none."""
    old: str
    """The lines that the file must have, each with its line break; "" for a new file."""
    new: str
    """The lines that take their place."""
    text: str
    """The edit's own lines, as the model wrote them, without the file's name."""
    line: int
    """The 1-based line of the answer at which `text` begins."""


def read_edits(text: str) -> Iterator[TextEdit]:
    """Yield the edits of an answer, in order. A block without its end is not an edit. Takes linear time."""
    lines = text.replace("\r\n", "\n").split("\n")
    at, path, name = 0, "", ""
    while at < len(lines):
        line = lines[at]
        if line.startswith("+++ "):
            # `+++ b/calc.py` of git, and `+++ calc.py<tab>2026-11-28 08:00` of diff.
            name_of_file = line[4:].split("\t")[0].strip()
            path = name_of_file[2:] if name_of_file.startswith(("a/", "b/")) else name_of_file
        if _SEARCH.fullmatch(line):
            end, edit = _block(lines, at, name)
            if edit is None:  # it has no end, so the name of the next block's file is among its lines
                name = next((found[1] for one in reversed(lines[at:end]) if (found := _NAME.fullmatch(one))), name)
        elif _HUNK.match(line):
            end, edit = _hunk(lines, at, path)
        else:
            name = found[1] if (found := _NAME.fullmatch(line)) else name
            end, edit = at + 1, None
        if edit is not None:
            yield edit
        at = end


def _block(lines: list[str], start: int, name: str) -> tuple[int, TextEdit | None]:
    """Return the index after a SEARCH/REPLACE block, and the block; None if the block has no end."""
    divider, found = _next_mark(lines, start, _DIVIDER)
    end, closed = _next_mark(lines, divider, _REPLACE) if found else (divider, False)
    if not closed:
        return end, None
    old, new, whole = lines[start + 1 : divider], lines[divider + 1 : end], lines[start : end + 1]
    return end + 1, TextEdit(name, _joined(old), _joined(new), _joined(whole), start + 1)


def _next_mark(lines: list[str], start: int, mark: re.Pattern[str]) -> tuple[int, bool]:
    """Return the index of the next line that is this mark, or begins another block, and whether it is the mark."""
    for at in range(start + 1, len(lines)):
        # A model may forget ">>>>>>> REPLACE". Without this, the next block would be a part of the new lines.
        if (found := mark.fullmatch(lines[at])) or _SEARCH.fullmatch(lines[at]):
            return at, found is not None
    return len(lines), False


def _hunk(lines: list[str], start: int, path: str) -> tuple[int, TextEdit | None]:
    """Return the index after a hunk, and the hunk; None if it changes nothing."""
    end = start + 1
    while end < len(lines) and (lines[end][:1] in (" ", "+", "-") or _is_blank_inside(lines, end)):
        # The head of the next file, and not a removed line "-- a/calc.py".
        if lines[end].startswith("--- ") and lines[end + 1 : end + 2] and lines[end + 1].startswith("+++ "):
            break
        end += 1
    body = lines[start + 1 : end]
    if not any(line[:1] in ("+", "-") for line in body):
        return end, None
    old = [line[1:] for line in body if line[:1] != "+"]
    new = [line[1:] for line in body if line[:1] != "-"]
    return end, TextEdit(path, _joined(old), _joined(new), _joined(lines[start:end]), start + 1)


def _is_blank_inside(lines: list[str], at: int) -> bool:
    """Return True for an empty line between two lines of a hunk, since models drop the blank in front of it."""
    return lines[at] == "" and at + 1 < len(lines) and lines[at + 1][:1] in (" ", "+", "-")


def _joined(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


Files = Mapping[str, str]
"""The files that the model may edit: maps a name to its text."""


def edits_apply(files: Files | Callable[[], Files] | None = None) -> Callable[[Any, Document], Iterator[Finding]]:
    """Return a rule for `Contract(rules=[...])`: each edit of the answer has its old lines in one of the files.

    White space around a line does not count. A finding's place is the file and the first old line, and its `quote` is
    the edit's own text.

    Args:
        files: the files as they were when the model answered, or a function that returns them. None for the files that
            the test gave to `planguard.state`.
    """

    def apply(_data: object, document: Document) -> Iterator[Finding]:
        known = {name: _plain(text) for name, text in _files_of(files, document).items()}
        edits = list(read_edits(document.text))
        if not edits:
            yield Finding("no_edits", (), "expected a diff or a SEARCH/REPLACE block; got none", FailureKind.RULE)
        for edit in edits:
            wanted = _plain(edit.old)
            if wanted and not any(wanted in text for name, text in known.items() if _same(name, edit.path)):
                yield _not_found(edit)

    return apply


def _files_of(files: Files | Callable[[], Files] | None, document: Document) -> Files:
    if files is not None:
        return files() if callable(files) else files
    if not document.state:
        raise UsageError("no files were recorded with this answer; call planguard.state(read) and record again")
    return document.state


def _not_found(edit: TextEdit) -> Finding:
    first = next((line.strip() for line in edit.old.split("\n") if line.strip()), "")[:_NAME_LIMIT]
    message = f"the old lines of this edit are not in {edit.path or 'any file'}"
    span = Span(edit.line, 1, edit.line, 1 + len(edit.text.split("\n", 1)[0]))
    return Finding("edit_not_found", (edit.path, first), message, FailureKind.RULE, span=span, quote=edit.text)


def _same(name: str, path: str) -> bool:
    """Return True if a model's name may mean the file: equal, without folders in front, or not given."""
    return not path or name == path or name.endswith(f"/{path}") or path.endswith(f"/{name}")


def _plain(text: str) -> str:
    """Return the lines without outer white space and without empty ones, each between line breaks."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    return "\n" + "".join(f"{line}\n" for line in lines) if lines else ""
