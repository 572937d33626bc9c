"""Places that a text names: what is one address, and what reading them costs."""

import pytest

from pytest_planguard.retry.reading.addresses import Vocabulary, addresses, vocabulary

from ...support.cost import assert_growth, no_hang, peak_memory

NAMES = vocabulary({"guests": [{"first name": "Ann", "age": 3}], "title": "x"})


def places(text: str, names: Vocabulary = NAMES) -> list[tuple[str | int, ...]]:
    """The steps of every address of a text."""
    return [one.steps for one in addresses(text, names)]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("guests[0].age and title", [("guests", 0, "age"), ("title",)]),
        ("the first name is too short", [("first name",)]),
        ("guests.0.firstName, title", [("guests", 0, "first name"), ("title",)]),
        ("the last first", []),
        ("first name", [("first name",)]),
        ("age", [("age",)]),
        ("", []),
    ],
)
def test_names_of_several_words_are_found_up_to_the_end_of_the_text(
    text: str, named: list[tuple[str | int, ...]]
) -> None:
    """The longest name counts, wherever in the text it stands."""
    assert places(text) == named


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["a ", "1,", "**a"])
def test_words_that_are_no_places_are_not_kept(unit: str) -> None:
    """Each word had a match object of its own, all at a time: 80 to 130 bytes for a character."""
    text = unit * 1_500
    assert peak_memory(lambda: places(text)) < 4 * len(text)


def test_thousands_of_joined_steps_are_no_one_address() -> None:
    """A printed list is data; each address has few steps."""
    assert [len(steps) for steps in places("guests" + ".age" * 420)] == [200, 200, 21]


def test_a_key_of_a_thousand_words_does_not_multiply_the_cost() -> None:
    """It was looked for at every word, with every number of words."""
    key = "a " * 1_000
    names = vocabulary({key: 1, "title": "x"})
    assert places(f"title {key}", names) == [("title",)]
    with no_hang():
        assert_growth(lambda size: places("a b " * size, names), 100, 200, below=4)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("the due date is odd", [("due date",)]),
        ("due: is odd", [("due",)]),
        ("due dates", [("due",)]),
        ("overdue date", []),
    ],
)
def test_the_longest_of_two_names_with_the_same_beginning_counts(text: str, named: list[tuple[str | int, ...]]) -> None:
    """The shorter one where the longer one ends within a word."""
    assert places(text, vocabulary({"due": 1, "due date": 2})) == named


@pytest.mark.parametrize(
    ("text", "foreign", "beyond", "span"),
    [
        ("guests[0].age is odd", (), None, (0, 13)),
        ("guests[0].age.pet is odd", (), "pet", (0, 13)),
        ("guests[0].age.missing", (), None, (0, 13)),
        ("guests[0].age.less_than_equal", (), None, (0, 13)),
        ("guests[0].age.lessThanEqual: no", (), None, (0, 13)),
        ("guests[0].age.less_of_it", (), "less", (0, 13)),
        ("guests[0].age.missing.pet", (), None, (0, 13)),
        ("guests[0].age.pet.missing", (), "pet", (0, 13)),
        ("order.form.guests[0].age", ("order", "form"), None, (11, 24)),
        ("7/guests[0].age", ("7",), None, (2, 15)),
        ("order/form/guests[0].age", ("order", "form"), None, (11, 24)),
        ("order -> form -> guests[0].age", ("form",), None, (17, 30)),
        ("guests[0].age/pet", (), "pet", (0, 13)),
        ("guests[0].age -> pet", (), None, (0, 13)),
        ("guests[0].age.pet.name", (), "pet", (0, 13)),
    ],
)
def test_steps_around_a_place(text: str, foreign: tuple[str, ...], beyond: str | None, span: tuple[int, int]) -> None:
    """Those in front belong to another tool, one behind to another place, unless it is a code."""
    (found,) = addresses(text, NAMES)
    assert found.steps == ("guests", 0, "age")
    assert found.keys == ("guests", "age")
    assert (found.foreign, found.beyond, (found.start, found.end)) == (foreign, beyond, span)


JOINED: dict[str, list[tuple[str | int, ...]]] = {
    "guests_0_age": [("guests", 0, "age")],
    "guests__0__age": [("guests", 0, "age")],
    "guests-0-age": [("guests", 0, "age")],
    "guests:0:age": [("guests", 0, "age")],
    "guests,0,age": [("guests", 0, "age")],
    "guests(0).age": [("guests", 0, "age")],
    "guests(0):age": [("guests", 0, "age")],
    "guests-age": [("guests",), ("age",)],
    "title_0": [("title",)],
    "guests[0].age-1": [("guests", 0, "age")],
    "( 'guests', 0, 'age')": [("guests", 0, "age")],
    "'guests', 'age'": [("guests",), ("age",)],
    "guests > 5": [("guests",)],
    "guests -> 5": [("guests", 5)],
    "guests > age": [("guests", "age")],
    "{:guests=>{5=>{:age=>": [("guests", 5, "age")],
    "%{guests: {0, %{age: ": [("guests", 0, "age")],
    '{"guests": {"0": {"age"': [("guests", 0, "age")],
    "title: {age": [("title", "age")],
    "title, {age": [("title",), ("age",)],
    "title.0": [("title",)],
    "title[0]": [("title", 0)],
    "guests[123456789]": [("guests", 123_456_789)],
    "guests[1234567890]": [("guests",)],
    "pageAge": [],
    "page_age": [],
    "$age": [],
    "ages": [],
    "age必须": [("age",)],
}


@pytest.mark.parametrize("text", JOINED)
def test_what_joins_names_and_positions(text: str) -> None:
    """Path characters, also those of maps in other languages; a number is a position behind a list or a bracket."""
    assert places(text) == JOINED[text]


def test_places_are_searched_in_the_first_100_000_characters() -> None:
    """A longer text has a whole file in it."""
    assert places("title".rjust(100_000)) == [("title",)]
    assert places("title".rjust(100_001)) == []


def test_a_name_has_at_most_forty_words() -> None:
    """A longer key is a text."""
    for words, named in ((40, 1), (41, 0)):
        key = " ".join(["word"] * words)
        assert len(places(f"{key}: odd", vocabulary({key: 1}))) == named


def test_positions_may_be_counted_from_another_number() -> None:
    """Names stay as they are."""
    (found,) = addresses("guests[2].age", NAMES)
    assert found.counted_from(1).steps == ("guests", 1, "age")
    assert found.counted_from(0) == found


def test_the_names_of_an_answer_and_its_schema() -> None:
    """Keys, titles and descriptions of up to five words; a list also names one of its items."""
    schema = {
        "properties": {
            "rows": {"type": "array", "title": "Order lines"},
            "tags": {"items": {}, "description": "one two three four five"},
            "note": {"description": "one two three four five six"},
            "address": {"type": "object"},
        }
    }
    found = vocabulary({"bus": [1], "n": {"x": [{}]}}, schema, [("stops", 0, "time"), ("late", "by")])
    assert found.names == {
        ("rows",): "rows",
        ("row",): "rows",
        ("order", "lines"): "rows",
        ("tags",): "tags",
        ("tag",): "tags",
        ("one", "two", "three", "four", "five"): "tags",
        ("note",): "note",
        ("address",): "address",
        ("bus",): "bus",
        ("n",): "n",
        ("x",): "x",
        ("stops",): "stops",
        ("stop",): "stops",
        ("time",): "time",
        ("late",): "late",
        ("by",): "by",
    }
    assert found.lists == {"rows", "tags", "bus", "x", "stops"}


def test_properties_are_named_at_any_depth_of_a_schema() -> None:
    """Below other properties, items and definitions; the words of other keywords are no names."""
    inner = {"properties": {"day": {"title": "Due date"}}, "required": ["day"]}
    schema = {"properties": {"trip": inner, "note": True}, "$defs": {"Stop": {"properties": {"km": {"items": {}}}}}}
    found = vocabulary({}, schema)
    assert found.names == {
        ("trip",): "trip",
        ("note",): "note",
        ("day",): "day",
        ("due", "date"): "day",
        ("km",): "km",
    }
    assert found.lists == {"km"}


def test_a_list_names_one_of_its_items_by_its_last_word() -> None:
    """A word that ends with two s, or has three letters, is no plural."""
    found = vocabulary({"due dates": [], "glass": [], "gas": [], "cars": []})
    assert {*found.names} == {("due", "dates"), ("due", "date"), ("glass",), ("gas",), ("cars",), ("car",)}


def test_the_first_five_thousand_values_are_read() -> None:
    """An answer may be larger."""
    assert vocabulary({"a": [0] * 4_999}).places == {("a",): 4_999}


def test_values_with_the_same_keys_are_counted() -> None:
    """Whatever their positions, and whatever is around them."""
    found = vocabulary({"guests": [{"age": 1}, {"age": 2}], "host": {"age": 3}})
    assert [found.count(keys) for keys in (("age",), ("guests", "age"), ("guests",), ("pet",))] == [3, 2, 3, 0]
