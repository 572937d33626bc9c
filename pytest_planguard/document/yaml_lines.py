"""Which lines of a text look like YAML: to tell YAML from prose and Markdown, and prose around it from YAML."""

from __future__ import annotations

import re

_LINE = re.compile(r"([^\r\n]*)(?:\r\n?|\n|\Z)")
_STRUCTURE = re.compile(
    r"""---(?:\s|\Z)|\.\.\.\s*\Z|-(?:[ \t]|\Z)|[\[{\]}]|\?[ ]|"[^"]*"[ \t]*:|'[^']*'[ \t]*:"""
    r"""|[^\s:#\-][^\s:]*:(?:[ \t]|\Z)"""
)
_LOWER_KEY = re.compile(r"""[-"'a-z0-9_]""")
_NESTED = re.compile(r"(?<![^\r\n])[ \t]++\S")
_SUBHEADING = re.compile(r"(?<![^\r\n])#{2,6}[ \t]++\S")


def has_yaml_lines(text: str) -> bool:
    """Whether a text is YAML line by line, and not prose with colons.

    Every line that starts at column 1 must be a key of one word, a list item, a marker or a comment, and one of them a
    key in lower case or a list item, unless something is indented below. "##" headings are Markdown.
    """
    lines = [line for _, _, line in top_lines(text)]
    if not lines or not all(is_structure(line) and line[0] not in "[{" for line in lines) or _SUBHEADING.search(text):
        return False
    return is_nested(text) or any(_LOWER_KEY.match(line) for line in lines)


def is_nested(text: str) -> bool:
    """Whether a line is indented."""
    return _NESTED.search(text) is not None


def is_structure(line: str) -> bool:
    """Whether a line that starts at column 1 is a key of one word, a list item, a marker or a bracket."""
    return _STRUCTURE.match(line) is not None


def top_lines(text: str) -> list[tuple[int, int, str]]:
    """Start, end (with its line end) and content of each line that starts at column 1 and is no comment."""
    found = _LINE.finditer(text)
    return [(m.start(), m.end(), m.group(1)) for m in found if m.group(1)[:1] not in ("", " ", "\t", "#")]


def yaml_region(text: str, start: int, end: int) -> tuple[int, int] | None:
    """From the first line of YAML in text[start:end] to the prose after the last; None where no line is YAML.

    Prose after it is a paragraph of its own and has several words: half a key at the end is no prose.
    """
    piece = text[start:end]
    lines = top_lines(piece)
    structure = [index for index, (_, _, line) in enumerate(lines) if is_structure(line)]
    if not structure:
        return None
    first = lines[structure[0]][0]
    after = len(piece)
    if structure[-1] + 1 < len(lines):
        at, _, line = lines[structure[-1] + 1]
        if len(line.split()) > 1 and _follows_blank_line(piece, at):
            after = at
    return start + first, start + after


def _follows_blank_line(text: str, at: int) -> bool:
    before = text[:at].replace("\r\n", "\n").replace("\r", "\n")
    return not before.removesuffix("\n").rpartition("\n")[2].strip()
