"""What feedback comes to that names places: in texts, by items of lists, by messages alone, and at limits."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pytest_planguard import Contract, FailureKind, Finding

from ...support.decisions import Block, Decided, Messages, inputs
from .fits import PARTY, YOUNG
from .hearing import Found, at_limits, grades, heard

HOUSE: dict[str, Any] = {
    "rooms": [
        {"name": "attic", "size": 8, "beds": [{"width": 70}, {"width": 90}]},
        {"name": "hall", "size": 40, "beds": []},
        {"name": "den", "size": 12, "beds": [{"width": 300}]},
    ],
    "owner": {"name": "Ada", "size": 1},
    "color": "blue",
    "tags": ["new", "new"],
}


def _of(code: str, path: tuple[str | int, ...], actual: str | None, **more: Any) -> Finding:
    kind = {"missing": FailureKind.MISSING, "distinct": FailureKind.RULE}.get(code, FailureKind.RANGE)
    return Finding(code, path, f"the {path[-1]} is not right at all", kind, actual=actual, **more)


SIZE = _of("maximum", ("rooms", 1, "size"), "40", expected="at most 30")
SMALL = _of("minimum", ("rooms", 0, "size"), "8", expected="at least 10", validator_message="8 is less than 10")
WIDTH = _of("maximum", ("rooms", 2, "beds", 0, "width"), "300", expected="at most 200")
NAME = _of("missing", ("rooms", 2, "door"), None, validator_message="Field required")
OWNER = _of("maximum", ("owner", "size"), "1", expected="at least 2")
COLOR = _of("enum", ("color",), '"blue"', allowed=("red", "green"), expected="red or green")
TAGS = _of("distinct", ("tags", 1), '"new"', validator_code="unique")
PARTIAL = (SIZE, SMALL, WIDTH, NAME, OWNER, COLOR, TAGS)
TEXTS = inputs("retry", "texts_with_places")


def mentions_of_places(page: Messages) -> Iterator[Block]:
    """What becomes of findings at many places below texts that name some of them."""
    yield heard(page, "texts with places", Found(PARTIAL, HOUSE), TEXTS)


SIGNED = inputs("retry", "signs_of_items")
_OF_LISTS = (SIZE, SMALL, WIDTH, TAGS)


def items_of_lists(page: Messages) -> Iterator[Block]:
    """Which words show another item of a list, and from which number items are counted."""
    yield heard(page, "words that may show an item", Found(_OF_LISTS, HOUSE), SIGNED)
    yield at_limits(page, "how far signs of items are seen", Found(_OF_LISTS, HOUSE), _signs_at_limits())
    decided = []
    for size in (1, 2, 80, 81):
        house = {"rooms": [{"name": "n" * size, "size": 1}, {"name": "x", "size": 40}]}
        decided.append(
            Decided(f"a name of {size}", grades(page, Found([SIZE], house), f"{'n' * size} size: too large"))
        )
    for items in (200, 201):
        house = {"rooms": [{"name": f"room-{number}-", "size": 40} for number in range(items)]}
        said = f"room-{items - 1}- size: too large"
        decided.append(Decided(f"the name of item {items}", grades(page, Found([SIZE], house), said)))
    yield Block("names of items", decided)
    yield heard(page, "signs around a place", Found((*_OF_LISTS, OWNER), HOUSE), _AROUND_SIZE)
    yield heard(page, "the same in no list", Found((*_OF_LISTS, OWNER), None), _AROUND_SIZE)
    positions = [f"{path}: {said}" for path in _POSITIONS for said in ("12 is odd", "300 is odd", "odd")]
    positions.append("rooms.123456789.1234567890: odd")
    den = _of("maximum", ("rooms", 2, "size"), "12")
    yield heard(page, "from which number items are counted", Found([WIDTH, den], HOUSE), positions)


_AROUND_SIZE = inputs("retry", "signs_around_a_place")
_POSITIONS = (
    *("rooms.2.size", "rooms.3.size", "rooms.0.size", "rooms.1.size", "x", "rooms.3.beds.1.width"),
    *("rooms.3.beds.0.width", ""),
)


def _signs_at_limits() -> Iterator[tuple[str, str]]:
    for gap in (290, 291, 292, 299, 300, 301):
        yield f"signs {gap} away", f"1{' ' * gap}size{' ' * gap}1"
        yield f"{gap} behind alone", f"{' ' * gap}size{' ' * gap}1"
    for count in (199, 200):
        yield f"a value behind {count}", '{"rooms": {"x": "no"}} ' * count + '{"rooms": [{"size": "no"}]} size'


MESSAGE = "the size is not right at all"
ALONE = inputs("retry", "frames_of_messages")


def messages_alone(page: Messages) -> Iterator[Block]:
    """Where a message stands by itself, and where another place has it."""
    texts = [frame.replace("{}", MESSAGE) for frame in ALONE]
    yield heard(page, "a message in a frame", Found([SIZE], HOUSE), texts)
    short = [replace(SIZE, message=words) for words in ("one two three", "one two three four", "one two three four. ")]
    decided = [Decided(one.message, grades(page, Found([one], HOUSE), one.message)) for one in short]
    yield Block("short messages", decided)
    yield at_limits(page, "how far a message is seen", Found([SIZE], HOUSE), _alone_at_limits())
    around = ("rooms:\n  - size: no\n[1] x", *(f"rooms{' ' * gap}size: no" for gap in (59, 60, 61)))
    yield heard(page, "an error around a place", Found([SIZE, SMALL], HOUSE), around)


def _alone_at_limits() -> Iterator[tuple[str, str]]:
    for size in (100_000, 100_001):
        yield f"a message that ends at {size}", MESSAGE.rjust(size, "\n")
    for size in (198, 199, 200, 201):
        yield f"behind {size} signs", ": " + "-" * size + MESSAGE
        yield f"behind {size} and a letter", "x" + "-" * size + MESSAGE
    for size in (298, 299, 300, 301):
        yield f"below {size} signs", "x " + "y" * size + "\n" + MESSAGE


def limits_of_matching(page: Messages) -> Iterator[Block]:
    """What is found of places and errors at the limits of what is looked at, and what is stale."""
    party = Contract(PARTY)
    age = party.check(json.dumps(YOUNG)).errors
    yield at_limits(page, "how far a place is seen", Found(age, YOUNG, PARTY), _places_at_limits())
    broken = Found(party.check("{nights: 3}").errors, None, PARTY)
    lines = (
        (f"a parse error in {n} lines", "\n" * 1_000 + "Expecting value: line 9 column 9" + "\n" * (n - 1_001))
        for n in (1_999, 2_000, 2_001, 2_002)
    )
    yield at_limits(page, "how far parse errors are looked for", broken, lines)
    earlier = Found((*party.check('{"nights": 40, "guests": []}').errors, *age), YOUNG, PARTY)
    stale = ("nights: too large", "guests[1].age: must be at least 18", "room: unknown, nights: too large", "")
    yield heard(page, "errors of this answer and of others", earlier, stale)
    tool = Found([Finding("no_tool_call", (), "no tool was called", FailureKind.NO_TOOL_CALL)])
    sentence = "Please call a tool, since that is needed"
    ways = [grades(page, tool, sentence, known_wordings=known) for known in (True, False)]
    yield Block("wordings of frameworks, known and unknown", [Decided(sentence, " | ".join(ways))])
    counted = "rooms.3.beds.1.width: 300 is too large\nrooms.1.size: 8 is too small"
    yield heard(page, "counted from 1", Found((WIDTH, SMALL, SIZE), HOUSE), [counted])
    twins = (SIZE, replace(SIZE, path=("rooms", 2, "size")))
    several = ((MESSAGE,), (MESSAGE, MESSAGE), ("no", MESSAGE), (f"{MESSAGE}\n{MESSAGE}", MESSAGE), ("", "hall", "no"))
    found = Found((*twins, *twins), HOUSE)
    yield Block("several messages", [Decided(json.dumps(one), grades(page, found, *one)) for one in several])


def _places_at_limits() -> Iterator[tuple[str, str]]:
    for filler in (395, 396, 397, 398, 399, 400, 401):
        yield f"{filler} signs around", "x" * filler + " guests[1].age is too small " + "y" * filler
    for filler in (285, 286, 290, 295, 299, 300, 301):
        yield f"words {filler} below", "guests[1].age:\n" + "y" * filler + " must be at least 18"
    for count in (499, 500, 501):
        yield f"place {count} of a text", "nights\n" * (count - 1) + "guests[1].age is too small"
    for count in (39, 40, 41):
        yield f"{count} mentions", "guests[1].age: no\n\n" * count
    for count in (1_000, 1_001):
        yield f"{count} errors", "nights: n\n" * (count - 1) + "guests[1].age: must be at least 18"
