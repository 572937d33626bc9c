"""What feedback comes to that names places: in texts, by items of lists, by messages alone, and at limits."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pytest_planguard import Contract, FailureKind, Finding

from ...support.decisions import Block, Decided, Messages
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
PLACED = (SIZE, SMALL, WIDTH, NAME, OWNER, COLOR, TAGS)
TEXTS = (
    *("size", "size: too large", "rooms[1].size: too large", "rooms.size is too large", "room 2: size too large"),
    *("rooms[0].size: too small", "rooms[1]\n  size: too large", "rooms[1]:\n\nsize: too large", "size in rooms[1]"),
    *("rooms[1] and color: wrong", "hall: size is too large", "the hall's size", "attic, hall: size is too large"),
    *("size must be at most 30\nwhile setting 'size'", "40 is too large\n  at rooms[1].size", "x\n\nin size"),
    *("size 40 is more than 30", "size 8 is less than 10", "size 41 is more than 30", "size: got 12"),
    *('size: got "x"', "owner.size: too small", "owner size too small"),
    *("Type has size of '6'. Path: '/rooms/1/size'", "Path: size", "rooms[2].beds[0].width: too large"),
    *("beds[0].width is too large", "width: too large", "rooms.2.beds.width: no"),
    *("rooms[2].beds[0]\n- width: 300 is too large", "bed 1 of room 3: width", "rooms[0].beds[0].width: too large"),
    *("rooms[2]: door is missing", "rooms[2] has no door", "door is missing", "add door to rooms[2]"),
    *("den: add a door", "rooms[1].door is missing", "door", "- door: ∅", "door:", "door: is fine"),
    *("rooms[2].door: ok", "the door is fine", "color must be red or green", "color: red, green", "color"),
    *("color, size: wrong", "color and size are wrong", "color 'blue' is wrong", "blue is wrong", "blue"),
    *("use red or green", "Not blue but red", "colour: blue?", "color is fine, size is too large"),
    *("size is too large, color is fine", "color fine; size too large", "color.x", "tags[1]: duplicate"),
    *("tags: duplicate", "tags[0]: duplicate", "tags have duplicates", "tags.1 is new again"),
    *('{"rooms": [{}, {"size": "too large"}]}', '{"rooms": {"1": {"size": ["too large"]}}}', '{"1": {"size": "no"}}'),
    *('{"rooms": [{"size": "too small"}, {}]}', '{"message": "size is too large", "path": "rooms.1"}', "rooms[1]"),
    *('{"path": "rooms.1"}, {"message": "size too large"}', "1.size too large", "rooms[3].size: too large"),
    *("7.size: no", "size.Value is too large", "rooms[1].size.x: too large", "size.Value"),
    *("base.rooms[1].size is too large", "Size!", "second room: size too large", "first room: size too large"),
    *("3rd room's size is too large", "size of room 1", "house[1].size is odd", "owner.0.name is odd", "a.1.b"),
    *("flat[2]", "flat.2", "rooms[1].color is odd", "floor: odd", "rooms: [1] size too large"),
    *("[2/3] size is too large", "size is 40 (max 30)", "size too large (rooms[1])", "too large"),
    *("Wrong: size\nrooms[1]", "size:\ntoo large", "size\ntoo large\n\nfor rooms[1]", "why? size? too large!"),
    *("size;color", "is too large", "no size at all", "nothing", "the JSON", "Das JSON hat Fehler"),
    *("must be at most 30", "expected a date", "the size is not right at all", "- the size is not right at all"),
    *("rooms[1].size: the size is not right at all", '"rooms": [{"name": "hall", "size": 40}]'),
    *('{"name": "hall", "size": 40} is wrong', '{"size": 40, "x": 1} is wrong'),
    *("a: b is required, c: d is required, e: f is required, g: h is required", "zone: size is too large"),
    *("new: size", "A_field_with_a_name_that_is_longer_than_forty_characters[1].size is too large", "the tags of it"),
    "size or color",
    *(
        "rooms[1]: name, color, size too large",
        "rooms[1]: name, color, tags, size too large",
        "size, color at rooms[1]",
    ),
    *(
        "missing color size size size size odd",
        "missing color size size size size size odd",
        "size is odd\ncolor\nblue",
    ),
    *(
        "odd size size size size color missing",
        "odd size size size size size size color missing",
        "blue is odd\ncolor: no",
    ),
    *(
        "color: no\nblue is odd",
        "size: no. 40 is odd",
        "size: no\n\n40 is odd",
        "tags\n40 is odd. 300 is odd; 8 is odd",
    ),
    *(
        "rooms[1].size: no\nrooms[1].size: too large",
        "rooms[0]: size no, rooms[1]: size too large",
        "40 is odd: rooms[1]",
    ),
    *(
        "door: please add door",
        "rooms.2: no door, rooms.1: no bed",
        "name and door are missing",
        "neither name nor door",
    ),
    *(
        "Version blue of the plan is here",
        "The 'blue' is of no use",
        "blue of the sky is wrong",
        "the color\n\nmust be red",
    ),
    *("red and green", "only red and green", "schema is odd", "Markdown ist falsch", "the parser is odd", "parse"),
    *(
        "Wrong\nblue is odd",
        "All is fine.\n'blue' is not known",
        "Wrong. 40 is odd",
        "no\n\n300 is odd",
        "tags: blue\nblue is odd",
    ),
    *('See {"name": "hall", "size": 40}\nsize: too large', 'See {"name": "hall"} and rooms[1].size: 40 is too large'),
    *(
        "There is a problem with rooms[1].size:\ntoo large",
        "The size of the room:\n\n40 is too large",
        "The color of it:\nred",
    ),
    *(
        "rooms[1].size should be seen here:\n- too large",
        "What is with the door there:\nmissing",
        "size? (40): too large",
    ),
    *(
        "while size is 40\ntoo large",
        "40 is too large\nfor the size of it",
        "color is odd\nin size",
        "8 is less\nwhen size",
    ),
    *(
        "tags:\n- blue is odd\n\nblue is odd",
        "tags:\n- 'blue' is too long\n\nWe know no 'blue'",
        "tags:\n- blue is odd\n- 40 is odd",
    ),
)


def mentions_of_places(page: Messages) -> Iterator[Block]:
    """What becomes of findings at many places below texts that name some of them."""
    yield heard(page, "texts with places", Found(PLACED, HOUSE), TEXTS)


SIGNED = (
    *("size is too large", "[1/3] size", "[2/3] size", "3 size", "-1 size", "4 size", "1. size", "Nr. 2: size"),
    *("2.5 size", "first: size", "1st size", "erste: size", "primera size", "première size", "第一 size"),
    *("second size", "2nd size", "zweite size", "deuxième size", "segunda size", "第二 size", "third size", "3rd size"),
    *("dritte size", "troisieme size", "tercer size", "第三 size", "attic size", "hall size", "den size"),
    *("attic and hall size", "hallway size", "size 'x'", "size '40'", "size 8", "size 12", "size 300", "size 29"),
    *("size 31", "size 30", "size -3", "size 40 not 41", "blue size", '{"rooms": [{"size": "no"}]} size'),
    *('{"rooms": [0, {"size": "no"}]} size', '{"rooms": {"1": "no"}} size', '{"rooms": {"a": "no"}} size'),
    *('{"rooms": []} size', '{"rooms": "1"} size', "1 size 30 30", "size\n\n1", "1\n\nsize"),
)
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


_AROUND_SIZE = (
    *(
        "[2/3] size\n\n1",
        "1\n\n2 size",
        "2 size\n1",
        "1 2 size",
        "hall\nsize attic",
        "size 2 of 3",
        "size 3",
        "3: size",
    ),
)
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
ALONE = (
    *("{}", "{}.", "- {}", "(2) {}", "3: {}", "Please fix: {}", "It is so. {}", "It is so {}", "{} (line 4)"),
    *(
        "{} [distinct].",
        "{} at once",
        "{}! And more",
        "{}, and more",
        "1234 {}",
        "size\n{}",
        "s\n{}",
        "\n\n{}",
        "- size\n{}",
    ),
    *("the size\n{}", "\n{}", "x\n\n{}", "{}\n{}", "THE {}", "{} now", "{}; more", "{}' more", '{}"'),
    *("rooms[0].size: {}", "rooms[1].size: {}", "a size:\n{}"),
)


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
