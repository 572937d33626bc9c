"""JSON and YAML inside a Markdown document: its front matter, or a code block."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...document.answer import read
from ..reading.outline import Source

if TYPE_CHECKING:
    from .settings import DataSettings

_FRONT_MATTER = re.compile(r"\A\ufeff?---[ \t]*\r?\n(.*?)^---[ \t\r]*$", re.MULTILINE | re.DOTALL)
"""The text between the first two lines of dashes, at the start of the document."""
_CODE = re.compile(r"^(`{3,}|~{3,})(?:ya?ml|json)\b[^\n]*\n(.*?)^\1", re.MULTILINE | re.DOTALL)
"""The lines of a block: "```yaml" to "```"."""
MOST = 200_000
"""Maximum characters of the data."""


def data_inside(data: DataSettings, source: Source) -> Source | None:
    """Return the data as a document with the same line numbers as in the whole one; None without data."""
    text = source.document.text
    pattern = _FRONT_MATTER if data.within == "front matter" else _CODE
    match = pattern.search(text) if source.is_markdown else None
    if match is None or match.end() - match.start() > MOST:
        return None
    lines = "\n" * text.count("\n", 0, match.start(match.lastindex or 0))
    document = read(lines + match[match.lastindex or 0], format="yaml", extract="whole")
    return Source(document, source.path) if isinstance(document.data, dict | list) else None
