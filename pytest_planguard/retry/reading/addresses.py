"""Find the places of an answer in a text, in any spelling: `guests[1].age`, "age", `/guests/1/age`, `Guests.Age`.

A name is recognised by its words, so camel case, snake case, spaces and capitals make no difference. A character of
another script ends a name ("age必须"). Names and positions joined by path characters form one address. Steps before it
that the answer lacks (`create.ticket.title`, `{base}.x`) belong to another tool.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise, takewhile

from .error_category import category_of_code

NameWords = tuple[str, ...]
"""A name as its words in lower case: `order_lines`, `OrderLines` -> ("order", "lines")."""

WORD = re.compile(r"[A-Z]{2,}(?![a-zß-ÿ])|[A-ZÀ-Þ]?[a-zß-ÿ]+|[A-ZÀ-Þ]|\d+")
"""A word or number inside a name, however they are joined: "dueDate", "due_date", "DUE DATE", "INV2"."""
_NODES = 5_000
"""Maximum number of values of an answer, or nodes of a schema, to read."""
_TITLE_WORDS = 5
"""A title or description with more words is a sentence about the field, not its name."""


def name_words(name: str) -> NameWords:
    """Return the words of a name."""
    return tuple(word[0].lower() for word in WORD.finditer(name))


def _singular(words: NameWords) -> NameWords:
    """Return the name of a single item: feedback on `guests` may name a guest.

    A name such as "address" stays as it is.
    """
    last = words[-1] if words else ""
    plural = len(last) > 3 and last.endswith("s") and not last.endswith("ss")
    return (*words[:-1], last[:-1]) if plural else words


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The names of the places of one answer."""

    names: Mapping[NameWords, str]
    """The key for each name, title or short description, by its words."""
    places: Counter[tuple[str, ...]]
    """How many values of the answer have the same keys, ignoring list positions."""
    lists: frozenset[str]
    """The keys of lists. A number is a position only after one of them."""

    def count(self, keys: tuple[str, ...]) -> int:
        """Return how many values of the answer have a path that ends with these keys."""
        return sum(n for place, n in self.places.items() if place[-len(keys) :] == keys)


def vocabulary(data: object, schema: object = None, paths: Iterable[tuple[str | int, ...]] = ()) -> Vocabulary:
    """Return the names in an answer, in its JSON Schema and in the findings' paths, which may name a missing key."""
    declared = [*_declared(schema)]
    values = [(keys, value) for keys, value in _nodes(data) if keys]
    names = {words: key for words, key, _ in reversed(declared)}
    lists = {key for _, key, is_list in declared if is_list}
    lists |= {keys[-1] for keys, value in values if isinstance(value, list)}
    lists |= {a for path in paths for a, b in pairwise(path) if isinstance(a, str) and isinstance(b, int)}
    steps = (step for path in paths for step in path if isinstance(step, str))
    names |= {name_words(key): key for key in (*(keys[-1] for keys, _ in values), *steps)}
    names = {_singular(name_words(key)): key for key in lists} | names
    names.pop((), None)
    return Vocabulary(names, Counter(keys for keys, _ in values), frozenset(lists))


def _nodes(root: object) -> Iterator[tuple[tuple[str, ...], object]]:
    """Yield every value below a root with its keys, without list positions."""
    waiting: list[tuple[tuple[str, ...], object]] = [((), root)]
    for _ in range(_NODES):
        if not waiting:
            return
        keys, value = waiting.pop()
        yield keys, value
        if isinstance(value, dict):  # asking for any mapping takes five times as long
            waiting += [((*keys, str(key)), inner) for key, inner in value.items()]
        elif isinstance(value, list):
            waiting += [(keys, inner) for inner in value]


def _declared(schema: object) -> Iterator[tuple[NameWords, str, bool]]:
    """Yield each property of a JSON Schema by its name, title and short description, with True if it is a list."""
    for keys, about in _nodes(schema):
        if keys[-2:-1] == ("properties",):
            field_schema = about if isinstance(about, Mapping) else {}
            for name in (keys[-1], field_schema.get("title"), field_schema.get("description")):
                words = name_words(name) if isinstance(name, str) else ()
                if len(words) <= _TITLE_WORDS:
                    yield words, keys[-1], field_schema.get("type") == "array" or "items" in field_schema


Step = str | int

# A name with any joints between its words: "due date", "due_date", "dueDate".
_NAME = re.compile(r"[^\W_]+(?:[ _-]?[^\W_]+)*")
# Between two steps: "tasks[0].id", "/tasks/0/id", "tasks -> 0", "['tasks'][0]", "tasks::id", and in maps of any
# language '{"tasks": {"0": {"id"', "{:tasks {0 {:id", "{:tasks=>{0=>{:id=>", "%{tasks: {0, %{id:".
_JOIN = re.compile(
    r"[\"'`]?\s?(?::|=>|=|,)?\s?%?\{\s?[:\"'`]?"
    r"|[\"'`\])}]{0,3}(?:\s?(?:[→›»]|->|::|\s>)\s?|[./\\#]\[?|\[)[\"'`(\[{]{0,3}"
)
# Between the steps of a printed list, which begins with a bracket: "('tasks', 0, 'id')".
_LISTED = re.compile(r"[\"'`]?,\s?[\"'`]?")
# "('" before the first step of "('tasks', 0)".
_OPENS_LIST = re.compile(r"[(\[]\s?[\"'`]?\Z")
# Around a position, after the name of its list: "guests_0_age", "guests-0-age", "guests(0).age", "guests,0,age".
_INDEXED = re.compile(r"__?|[-:(,]|\)[.:]?")
# A Latin letter, a digit or an underscore beside a name makes it part of a longer one, as "age" in "page_age". The
# underscore between a name and a position does not.
_BEGINS = re.compile(r"(?<![A-Za-zÀ-ÿ0-9_$])|(?<=\d_)|(?<=\d__)")
# The end of a name: after "age" in "age is" and in "guests_0", not in "ages".
_ENDS = re.compile(r"(?![A-Za-zÀ-ÿ0-9_$])|(?=__?\d)")
# A code behind a place: "guests[0].age.less_than".
_CODE = re.compile(r"\w{1,60}")
_READ_LIMIT = 100_000
"""Maximum number of characters to search for places, which bounds the time for a request with a whole file in it."""
_MOST_STEPS = 200
"""Maximum number of joined steps of one address: "[1, 1, 1, ...]" with thousands of them is data."""
_MOST_WORDS = 40
"""Maximum number of words of a name to find: a longer key is a text."""


@dataclass(frozen=True, slots=True)
class Address:
    """One place as a text names it."""

    steps: tuple[Step, ...]
    """Keys as spelled in the answer, and positions as written. The text is about the last step."""
    keys: tuple[str, ...]
    """The steps without positions."""
    start: int
    end: int
    foreign: tuple[str, ...]
    """Leading steps of the address that the answer does not have."""
    beyond: str | None
    """A step at its end that the answer does not have: the text is about another place."""

    def counted_from(self, first: int) -> Address:
        """Return the address with positions from 0, for a text that calls the first item `first`."""
        return replace(self, steps=tuple(step - first if isinstance(step, int) else step for step in self.steps))


@dataclass(frozen=True, slots=True)
class _Word:
    """A name, a number or any other word."""

    step: Step | None
    text: str
    start: int
    end: int


def addresses(text: str, names: Vocabulary) -> Iterator[Address]:
    """Yield every place that the text names, in order."""
    text = text[:_READ_LIMIT]
    lowered = text.lower()
    if not any(name[0] in lowered for name in names.names):  # long texts without a name take a tenth of a second
        return
    chain: list[_Word] = []
    for word in _words(text, names):
        if chain and (len(chain) == _MOST_STEPS or not _is_joined(text, chain, word, names)):
            yield from _address(text, chain)
            chain = []
        chain.append(word)
    yield from _address(text, chain)


def _address(text: str, chain: Sequence[_Word]) -> Iterator[Address]:
    """Yield the address of joined words. Steps before the first known name are foreign."""
    foreign = [*takewhile(lambda word: not isinstance(word.step, str), chain)]
    own = [*takewhile(lambda word: word.step is not None, chain[len(foreign) :])]
    if own:
        behind = chain[len(foreign) + len(own) :][:1]
        beyond = next((word.text for word in behind if not _is_code(text, word)), None)
        steps = tuple(word.step for word in own if word.step is not None)
        keys = tuple(step for step in steps if isinstance(step, str))
        yield Address(steps, keys, own[0].start, own[-1].end, tuple(word.text for word in foreign), beyond)


def _is_code(text: str, word: _Word) -> bool:
    """Return True if a word is a validator's code, or begins one of several words: "less" in "age.less_than"."""
    whole = _CODE.match(text, word.start)
    return any(category_of_code(code) for code in (word.text, whole[0] if whole else None))


def _is_joined(text: str, chain: Sequence[_Word], word: _Word, names: Vocabulary) -> bool:
    """Return True if a word is the next step of a place."""
    last, is_position = chain[-1].step, isinstance(word.step, int)
    between = text[chain[-1].end : word.start]
    if _INDEXED.fullmatch(between) and any(one.step in names.lists for one in chain[-2:]):
        return isinstance(last, int) != is_position
    listed = _LISTED.fullmatch(between) and _OPENS_LIST.search(text, max(chain[0].start - 3, 0), chain[0].start)
    if not listed and not _JOIN.fullmatch(between):
        return False
    if is_position and ">" in between and "-" not in between and "{" not in between:  # "steps > 5" compares
        return False
    if "{" in between and "," in between and not isinstance(last, int):  # "goal, {title"
        return False
    if is_position and isinstance(last, str):
        return last in names.lists or "[" in between
    return word.step is not None or "." in between or "/" in between


def _words(text: str, names: Vocabulary) -> Iterator[_Word]:
    """Yield the names, numbers and other words of a text, the longest name first: "due date" before "date".

    Keeps only as many words at a time as the longest name has.
    """
    coming, firsts = WORD.finditer(text), {name[0] for name in names.names}
    words = list(islice(coming, min(max(map(len, names.names)), _MOST_WORDS)))
    while words:
        first, start, end, size = words[0][0].lower(), words[0].start(), words[0].end(), 1
        step: Step | None = int(first) if first.isdecimal() and len(first) < 10 else None
        for more in range(len(words), 0, -1) if first in firsts and _BEGINS.match(text, start) else ():
            key, behind = names.names.get(tuple(word[0].lower() for word in words[:more])), words[more - 1].end()
            if key is not None and _ENDS.match(text, behind) and _NAME.fullmatch(text, start, behind):
                step, size, end = key, more, behind
                break
        yield _Word(step, text[start:end], start, end)
        words = [*words[size:], *islice(coming, size)]
