"""Ways in which a text names one item of a list, and ways in which it may not: with the position that it names.

Written as validators, apps and people write positions; no reader was made for one of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

ORDINALS = ("first", "second", "third")
NAMES = ("Okafor", "Meyer", "Lindt")
PATHS = (
    "guests.{n}.age: {m}",
    "guests[{n}].age {m}",
    "/guests/{n}/age: {m}",
    "['guests'][{n}]['age'] {m}",
    "guests -> {n} -> age: {m}",
    "guests » {n} » age {m}",
    "('guests', {n}, 'age'): {m}",
    "guests_{n}_age: {m}",
    "guests__{n}__age: {m}",
    "guests-{n}-age: {m}",
    "guests({n}).age {m}",
    "Answer.guests.{n}.age {m}",
    "{m} at guests[{n}].age",
    "{m}, path: $.guests[{n}].age",
    "age {m} (in guests[{n}])",
    "guests[{n}]\n    age {m}",
    "### guests[{n}]\n- age {m}",
    "guests:\n  {n}:\n    age: {m}",
    "While validating guests[{n}]: age {m}",
    "| path | problem |\n|---|---|\n| guests[{n}].age | {m} |",
)
"""Paths, whose positions count from 0."""
COUNTS = (
    "guest #{one}: age {m}",
    "#{one} age {m}",
    "item {one}: age {m}",
    "Row {one}, age {m}",
    "Guest {one}\n  age {m}",
    "**Guest {one}**\n- age {m}",
    "age of guest {one} {m}",
    "guest no. {one}: age {m}",
    "guest Nr. {one}: age {m}",
    "guest n° {one} : age {m}",
    "age {m} (guest {one})",
    "guests, position {one}: age {m}",
    "line {one} of guests: age {m}",
    "guest {one} of 3: age {m}",
    "[{one}/3] age {m}",
    "第{one}个guests: age {m}",
)
"""Numbers, which count from 1; from 0 a reader may take them just as well."""
WORDS = (
    "the {ordinal} guest's age {m}",
    "{ordinal} entry of guests: age {m}",
    "The {ordinal} guest:\n  age {m}",
    "There is a problem with the {ordinal} guest. The age {m}.",
    "age {m} for the {ordinal} guest",
    "{name}: age {m}",
    "age of {name} {m}",
    "guest ({name}): age {m}",
    "guests[{name}].age: {m}",
    "age {m} ({name})",
    "{name}\n  age {m}",
    "age {m}\n\nOn instance:\n    {{'surname': '{name}', 'age': 7}}",
)
"""Ordinals and the own names of items."""


def padded(position: int, message: str) -> str:
    """Return a list of errors in which only the item's place is filled."""
    return json.dumps({"guests": [{"age": [message]} if n == position else {} for n in range(3)]})


def printed(position: int, message: str) -> str:
    """Return errors by position, as Python prints them."""
    return str({"guests": {position: {"age": message}}})


def variants(position: int, message: str) -> Iterator[tuple[str, frozenset[int]]]:
    """Yield each text about one position, from 0, and the positions that a reader may take it for."""
    told = {"n": position, "one": position + 1, "m": message, "ordinal": ORDINALS[position], "name": NAMES[position]}
    exact = frozenset({position})
    for text in (*(form.format(**told) for form in (*PATHS, *WORDS)), padded(position, message)):
        yield text, exact
    yield printed(position, message), exact
    for form in COUNTS:
        yield form.format(**told), frozenset({position, position + 1})
