"""What matching says of places in texts, items of lists, messages by themselves, and the limits of what is read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from pytest_planguard.contract.contract import Contract
from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding
from pytest_planguard.document.path import to_dotted
from pytest_planguard.retry.linking.delta import Delta, Piece
from pytest_planguard.retry.matching.carried import FeedbackReading, carried, read, stale
from pytest_planguard.retry.matching.item_signs import first_position, from_zero, shows_another_item
from pytest_planguard.retry.matching.named_place import SENTENCE, PlacedText
from pytest_planguard.retry.matching.new_text import NewText, clip
from pytest_planguard.retry.matching.standalone_message import standalone_message
from pytest_planguard.retry.reading.entry import ErrorEntry
from pytest_planguard.retry.reading.recognise import recognise
from pytest_planguard.retry.reading.vocabulary import vocabulary
from pytest_planguard.wire.exchange import Role

from .fits import PARTY, YOUNG

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


def mentions_of_places() -> Iterator[str]:
    """Yield where texts name the places of findings, with sense and words, and what becomes of the findings."""
    for text in TEXTS:
        yield json.dumps(text, ensure_ascii=False)
        new = NewText("here", text, recognise(text))
        placed = PlacedText.of(new, text, HOUSE, vocabulary(HOUSE, None, [one.path for one in PLACED]))
        fates = carried(PLACED, read([Delta(2, (Piece(text, 4, Role.USER),), turn=True)]), attempt=1, data=HOUSE)
        for finding, fate in zip(PLACED, fates, strict=True):
            where = [f"{m.nearness} {m.sense} {m.words}" for m in placed.mentions(finding)]
            speaks = [one.start() for one in SENTENCE.finditer(text) if placed.may_speak_of(finding, *one.span())]
            reason = (fate.reason or "").partition("(request")[0]
            evidence = (fate.evidence or "").partition("message 4: ")[2]
            about = f"{where} {placed.others(finding)} {speaks}".replace("[]", "").strip()
            yield f"  {to_dotted(finding.path)}: {fate.grade.value} {reason}; {evidence}; {about}"


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


def items_of_lists() -> Iterator[str]:
    """Yield whether words show another item, from which number items are counted, and what stands by itself."""
    for finding in (SIZE, SMALL, WIDTH, TAGS):
        for text in SIGNED:
            at = text.rfind("size")
            shown = shows_another_item(finding, text, text, ((at, at + 4), (0, len(text))), HOUSE)
            narrow = shows_another_item(finding, text, text, ((at, at + 4),), HOUSE)
            yield f"{to_dotted(finding.path)} {text!r}: {'another' * shown} {'another nearby' * narrow}"
    yield from _items_at_limits()
    yield from _first_positions()


def _items_at_limits() -> Iterator[str]:
    for gap in (290, 291, 292, 299, 300, 301):
        text = f"1{' ' * gap}size{' ' * gap}1"
        at = text.find("size")
        yield f"signs {gap} away: {shows_another_item(SIZE, text, text, ((at, at + 4),), HOUSE)}"
        behind = text[1:]
        yield f"  behind alone: {shows_another_item(SIZE, behind, behind, ((at - 1, at + 3),), HOUSE)}"
    for size in (1, 2, 80, 81):
        house = {"rooms": [{"name": "n" * size}, {"name": "x"}]}
        text = f"{'n' * size} size"
        yield f"a name of {size}: {shows_another_item(SIZE, text, text, ((size + 1, size + 5),), house)}"
    for items in (200, 201):
        house = {"rooms": [{"name": f"room-{number}-"} for number in range(items)]}
        text = f"room-{items - 1}- size"
        yield f"the name of item {items}: {shows_another_item(SIZE, text, text, ((10, 14),), house)}"
    for count in (199, 200):
        text = '{"rooms": {"x": "no"}} ' * count + '{"rooms": [{"size": "no"}]} size'
        shown = shows_another_item(SIZE, text, text, ((len(text) - 4, len(text)),), HOUSE)
        yield f"a value behind {count} others: {shown}"
    for text in (
        "[2/3] size\n\n1",
        "1\n\n2 size",
        "2 size\n1",
        "1 2 size",
        "hall\nsize attic",
        "size 2 of 3",
        "size 3",
        "3: size",
    ):
        at = text.find("size")
        spans = ((at, at + 4), (max(at - 2, 0), at + 4))
        yield f"{text!r}: {[shows_another_item(one, text, text, spans, HOUSE) for one in (SIZE, SMALL, WIDTH)]}"
        yield f"  from the original: {shows_another_item(SIZE, text, text.replace('hall', 'attic'), spans, HOUSE)}"
        nowhere = shows_another_item(SIZE, text, text, spans, None)
        yield f"  in no list: {shows_another_item(OWNER, text, text, spans, HOUSE)} {nowhere}"


def _first_positions() -> Iterator[str]:
    entries = (("rooms", "2", "size"), ("rooms", "3", "size"), ("rooms", "0", "size"), ("rooms", "1", "size"), ("x",))
    for path in (*entries, ("rooms", "3", "beds", "1", "width"), ("rooms", "3", "beds", "0", "width"), None, ()):
        for said in ("12 is odd", "300 is odd", "odd"):
            entry = ErrorEntry(path, None, said, 0, 1)
            first = first_position([entry], [WIDTH, _of("maximum", ("rooms", 2, "size"), "12")], HOUSE)
            yield f"{path} {said!r}: first is {first}, {from_zero(entry, 1).path}"
    long = ErrorEntry(("rooms", "123456789", "1234567890"), None, "odd", 0, 1)
    yield f"{from_zero(long, 1).path}"


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


def messages_alone() -> Iterator[str]:
    """Yield where a message stands by itself, and where another place has it."""
    for frame in ALONE:
        text = frame.replace("{}", MESSAGE)
        entries = recognise(text)
        found = standalone_message(SIZE, text, (), entries)
        bare = standalone_message(SIZE, text.replace(" ", "  "), (found.start,) if found else ())
        yield f"{frame!r}: {found} {bare}"
    for words in ("one two three", "one two three four", "one two three four. "):
        finding = Finding("x", ("size",), words, FailureKind.CONTENT)
        yield f"{words!r}: {standalone_message(finding, words)}"
    for size in (100_000, 100_001):
        yield f"a message that ends at {size}: {standalone_message(SIZE, MESSAGE.rjust(size, chr(10)))}"
    for size in (198, 199, 200, 201):
        yield f"behind {size} signs: {standalone_message(SIZE, ': ' + '-' * size + MESSAGE)}"
        yield f"  behind a letter: {standalone_message(SIZE, 'x' + '-' * size + MESSAGE)}"
    for size in (298, 299, 300, 301):
        yield f"below {size} signs: {standalone_message(SIZE, 'x ' + 'y' * size + chr(10) + MESSAGE)}"
    for size in (199, 200, 201, 805):
        indented = clip(" " * 790 + "x" * size)
        yield f"a clipped text of {size}: {len(clip('x' * size))} {len(indented)} {clip('x y' * size, 7)}"
    yield from _around()


def _around() -> Iterator[str]:
    text = "rooms:\n  - size: no\n[1] x"
    entries = (ErrorEntry(("rooms", "size"), None, "no", 9, 19), ErrorEntry(("x",), None, "x", 20, 25))
    new = NewText("here", text, (*entries, ErrorEntry(("a", "rooms", "b"), None, "n", 9, 10)))
    for end in (0, 5, 8, 9, 10, 15, 19, 20, 22, 25):
        for name in ("", "rooms", "size"):
            around = [(one.path, one.start) for one in new.around(end, name)]
            yield f"around {end} {name!r}: {around}"
    for gap in (59, 60, 61):
        text = "rooms" + " " * gap + "size"
        entry = ErrorEntry(("rooms", "size"), None, "no", 5 + gap, 9 + gap)
        yield f"{gap} between: {[one.path for one in NewText('here', text, (entry,)).around(5, 'rooms')]}"


def limits_of_matching() -> Iterator[str]:
    """Yield what is found of places and errors at the limits of what is looked at, and what is stale."""
    party = Contract(PARTY)
    (age,) = party.check(json.dumps(YOUNG)).errors
    names = vocabulary(YOUNG, PARTY, [age.path])
    for filler in (395, 396, 397, 398, 399, 400, 401):
        text = "x" * filler + " guests[1].age " + "y" * filler
        yield f"a sentence with {filler} signs around: {_words(text, age, names)}"
    for filler in (285, 286, 290, 295, 299, 300, 301):
        text = "guests[1].age:\n" + "y" * filler + " must be at least 18"
        yield f"words {filler} below: {_words(text, age, names)}"
    for count in (499, 500, 501):
        text = "nights\n" * (count - 1) + "guests[1].age"
        yield f"place {count} of a text: {len(_words(text, age, names))}"
    for count in (39, 40, 41):
        yield f"{count} mentions: {len(_words('guests[1].age: no' + chr(10) * 2, age, names, times=count))}"
    for count in (1_000, 1_001):
        reading = read([Delta(2, (Piece("nights: n\n" * count, 4, Role.USER),), turn=True)])
        yield f"{count} errors: {len(reading.said)} {reading.empty}"
    yield f"nothing: {read([Delta(2, (), turn=True)]).empty} {read([]).empty}"
    broken = party.check("{nights: 3}").errors
    for lines in (1_999, 2_000, 2_001, 2_002):
        text = "\n" * 1_000 + "Expecting value: line 9 column 9" + "\n" * (lines - 1_001)
        reading = read([Delta(2, (Piece(text, 4, Role.USER),), turn=True)])
        yield f"a parse error in {lines} lines: {[fate.reason for fate in carried(broken, reading, attempt=3)]}"
    yield from _several_texts(age)
    for text in ("nights: too large", "guests[1].age: must be at least 18", "room: unknown, nights: too large", ""):
        reading = read([Delta(2, (Piece(text, 4, Role.USER),), turn=True)])
        earlier = party.check('{"nights": 40, "guests": []}').errors
        yield f"stale: {stale(reading, [age], [*earlier, age], YOUNG)} {stale(reading, [], [age])}"


def _several_texts(age: Finding) -> Iterator[str]:
    sentence = "Please call a tool, since that is needed"
    for known in (True, False):
        reading = read([Delta(2, (Piece(sentence, 4, Role.USER),), turn=True)], known_wordings=known)
        yield f"wordings of frameworks {known}: {[(one.request, one.entry.code) for one in reading.said]}"
    yield f"by default: {[one.entry.code for one in said_in(sentence).said]}"
    twins = (SIZE, Finding("maximum", ("rooms", 2, "size"), SIZE.message, FailureKind.RANGE))
    for texts in (
        (MESSAGE,),
        (MESSAGE, MESSAGE),
        ("no", MESSAGE),
        (f"{MESSAGE}\n{MESSAGE}", MESSAGE),
        ("", "hall", "no"),
    ):
        for fate in carried((*twins, *twins), said_in(*texts), attempt=3, data=HOUSE):
            place = to_dotted(fate.finding.path)
            yield f"{texts} {place}: {fate.attempt} {fate.grade.value} {fate.evidence} {fate.reason}"
    counted = said_in("rooms.3.beds.1.width: 300 is too large\nrooms.1.size: 8 is too small")
    for fate in carried((WIDTH, SMALL, SIZE), counted, attempt=1, data=HOUSE):
        yield f"counted from 1: {fate.grade.value} {fate.evidence} {fate.reason}"
    for fate in carried((age,), said_in(), attempt=1):
        yield f"nothing new: {fate.grade.value} {fate.evidence} {fate.reason}"


def said_in(*texts: str) -> FeedbackReading:
    """Return the reading of a request that adds these texts, a message each."""
    pieces = tuple(Piece(text, 4 + at, Role.USER) for at, text in enumerate(texts))
    return read([Delta(2, pieces, turn=True)])


def _words(text: str, finding: Finding, names: Any, times: int = 1) -> list[tuple[int, int]]:
    new = NewText("here", text * times, ())
    return [one.words for one in PlacedText.of(new, new.text, YOUNG, names).mentions(finding)]
