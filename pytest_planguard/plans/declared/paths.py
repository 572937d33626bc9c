"""Paths into JSON and YAML of described formats, and scores that recognise a format by its fields."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ...document.answer import read
from ..plan import NOWHERE, Place
from ..reading.outline import Source
from ..reading.parsed_data import Record, name_of, records_of
from ..reading.profile import CLEAR, HINT, PROOF
from .settings import DataSettings, FormatSettings

ANY = "*"
"""Every item of a list, or every value of an object: "phases.*.steps"."""
_STEP = re.compile(r"(?:[^.\[]|\[[^\]]*\])+")
"""A step of a path. "*[type.name=Blocks]" is one step: it selects the items whose field has that value."""
MOST_LOOKED_AT = 20
"""Number of records to check when fields decide the format."""
_WAITS = re.compile(
    r"(?i)depend(s|s[_-]?on|encies|ency)|blocked[_-]?by|predecessors?|prerequisites?|needs|waits[_-]?for"
)
"""Fields that name the tasks to wait for: "depends_on", "blockedBy"."""
ENOUGH_MARKS = 4
"""Number of a tool's specific fields that prove its format, even if a record need not have all of them."""


def values_at(root: object, path: str, start: Place = NOWHERE) -> Iterator[tuple[object, Place]]:
    """Yield the values at a path such as "phases.*.steps" with their places; nothing if it does not exist."""
    if "." not in path:  # most of them: one field of a record
        return _below(root, path, start)
    found: list[tuple[object, Place]] = [(root, start)]
    for part in _STEP.findall(path):
        found = [one for value, place in found for one in _below(value, part, place)]
    return iter(found)


def _below(value: object, part: str, place: Place) -> Iterator[tuple[object, Place]]:
    if part.startswith("*[") and "=" in part:
        where, _, wanted = part[2:-1].partition("=")
        below = (one for one in _below(value, ANY, place))
        yield from (one for one in below if wanted in [str(found) for found, _ in values_at(one[0], where)])
    elif part == ANY and isinstance(value, list):
        yield from ((item, place.sub(number)) for number, item in enumerate(value))
    elif part == ANY and isinstance(value, dict):
        yield from ((item, place.sub(key)) for key, item in value.items())
    elif isinstance(value, dict) and part and part in value:
        yield value[part], place.sub(part)


def first(record: Record, path: str) -> object:
    """Return the first value at a path, if any."""
    return record.get(path) if "." not in path else next((value for value, _ in values_at(record, path)), None)


def holders(data: DataSettings, root: object) -> Iterator[tuple[Any, Place, str | None]]:
    """Yield the containers of tasks, with the names of their groups. Without groups, yield the document itself."""
    if data.groups is None or (isinstance(root, dict) and isinstance(root.get(data.tasks), list)):
        yield root, NOWHERE, None
    elif data.groups.keyed:
        for key, value in root.items() if isinstance(root, dict) else ():
            if isinstance(value, dict) and data.tasks in value:
                yield value, NOWHERE.sub(key), str(key)
    else:
        for number, item in enumerate(root if isinstance(root, list) else ()):
            yield item, NOWHERE.sub(number), str(number + 1)


def lists(data: DataSettings, holder: object, start: Place = NOWHERE) -> Iterator[tuple[object, Place]]:
    """Yield the values at the first path of the tasks that exists; "." is the holder itself."""
    for path in data.tasks.split("|"):
        if path.strip() != ".":
            found = [*values_at(holder, path.strip(), start)]
        else:
            found = [(holder, start)] if "|" not in data.tasks or isinstance(holder, list) else []
        if found:
            yield from found
            return


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


def data_score(settings: FormatSettings, data: DataSettings) -> Callable[[Source], int]:
    """Return the score of JSON and YAML by the fields of the document and its records."""

    def score(document: Source) -> int:
        source = document if data.within is None else data_inside(data, document)
        root = None if source is None else source.data
        if source is None or not all([*values_at(root, name)] for name in settings.recognise):
            return 0
        if not data.each and not data.texts_only:
            return PROOF if settings.recognise else HINT if [*lists(data, root)] else 0
        held = [holder for holder, _, _ in holders(data, root)]
        listed = [value for holder in held for value, _ in lists(data, holder)]
        if data.texts_only:
            return _score_of_texts(data, root, listed)
        in_list = data.groups is not None and not data.groups.keyed
        members = held if in_list else [one for value in listed for one in _members(value)]
        if not members:
            return HINT if data.may_be_empty and listed and not any(listed) else 0
        return _score_of_records(settings, data, members[:MOST_LOOKED_AT])

    return score


def _score_of_records(settings: FormatSettings, data: DataSettings, members: list[object]) -> int:
    records = [one for one in members if isinstance(one, dict)]
    fits = [all(any(name.strip() in one for name in field.split("|")) for field in data.each) for one in records]
    # objects for ids are another tool's, and so are dependencies under another name
    other = any(records_of(one.get(data.depends)) for one in records) or other_dependencies(data, records)
    if not all(fits) or len(records) < len(members) or other:
        return CLEAR if settings.recognise and any(fits) else 0
    marks = sum(any(mark in record for record in records) for mark in data.marks)
    return PROOF if marks >= min(ENOUGH_MARKS, len(data.marks)) else CLEAR


def other_dependencies(data: DataSettings, records: Sequence[Record]) -> str | None:
    """Return the field in which tasks wait for each other, if the format doesn't have this field; None if none does."""
    ids = {name_of(first(one, data.id)) for one in records} - {None}
    read = {path.partition(".")[0] for path in (data.depends, data.blocks, data.children) if path}  # "needs.*"
    for record in records:
        for field, value in record.items():
            if field not in read and _WAITS.fullmatch(field):
                named = map(name_of, value if isinstance(value, list) else [value])
                if any(part.strip() in ids for name in named if name for part in name.split(",")):
                    return field
    return None


def _score_of_texts(data: DataSettings, root: object, listed: list[Any]) -> int:
    """Return the score of a list of texts. Other fields beside it make the document a recipe or a ticket.

    But a text that names another by its number is a sure sign. "$20" in a list of three steps is not: it is a price.
    """
    texts = [text for value in listed if isinstance(value, list) for text in value]
    if not isinstance(root, dict) or not texts or not all(isinstance(text, str) for text in texts):
        return 0
    named = (found[1] for text in texts for found in re.finditer(data.refers or "(?!)", text))
    # the group of a user's pattern may match a word, or nothing
    numbers = (int(one[:9]) for one in named if one and one.isdecimal())
    return CLEAR if set(data.beside).issuperset(root) or any(1 <= one <= len(texts) for one in numbers) else HINT


def _members(value: object) -> list[object]:
    return [*value.values()] if isinstance(value, dict) else [*records_of(value)]
