"""How two requests of an app differ that was given a changed answer: this decides what an experiment shows."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from pytest_planguard.retry.proving.request_diff import Quotations, compare, left_out

from ...support.decisions import Block, Decided, Messages, shortened, sorted_out


@dataclass(frozen=True)
class Changed:
    """An answer that the app is given in the place of the recorded one."""

    before: Any
    after: Any
    places: tuple[tuple[str | int, ...], ...]

    @property
    def text(self) -> str:
        """The whole answer."""
        return self.after if isinstance(self.after, str) else json.dumps(self.after)


BEFORE = {"ticket": {"title": "Printer", "tags": ["ink"]}, "id": 1, "paid": True}
AFTER = {"ticket": {"title": "Lamp", "tags": ["ink", "paper"]}, "id": 1, "paid": False}


def _odd(value: Any) -> str:
    """Return a document in a layout of its own, which is found by reading it alone."""
    return json.dumps(value, indent=3)


PAIRS: tuple[tuple[Any, Any], ...] = (
    *(("same", "same"), ("a word", "word"), ("word", "a word"), ("one b", "b one"), ("3 errors", "2 errors")),
    *(
        ("3 errors", "1 errors"),
        ("2 errors", "3 errors"),
        ("line 3", "line 2"),
        ("2 errors in line 4", "1 error in line 4"),
    ),
    *(("2 errors in line 4", "1 error in line 3"), ("10 problems are there", "9 problems are there"), ("a1", "a2")),
    *(
        ("Printer is wrong", "Lamp is wrong"),
        ("Printers", "Lamps"),
        ("true is wrong", "false is wrong"),
        ("True", "False"),
    ),
    *((repr(BEFORE), repr(AFTER)), (json.dumps(BEFORE), json.dumps(AFTER)), (BEFORE, AFTER), ([BEFORE], [AFTER])),
    *((json.dumps(BEFORE["ticket"], indent=n), json.dumps(AFTER["ticket"], indent=n)) for n in (1, 2, 3, 4)),
    (json.dumps(json.dumps(BEFORE)), json.dumps(json.dumps(AFTER))),
    (json.dumps(BEFORE["ticket"], separators=(",", ":")), json.dumps(AFTER["ticket"], separators=(",", ":"))),
    ("['ink'] is wrong", "['ink', 'paper'] is wrong"),
    ('{ oops [ "ink" ]', '{ oops [ "ink" , "paper" ]'),
    (json.dumps({"was": json.dumps(BEFORE["ticket"])}), json.dumps({"was": json.dumps(AFTER["ticket"])})),
    ('["ink"] [ "x" ] {', '["ink", "paper"] [ "x" ] {'),
    (f"{_odd(BEFORE)} or {_odd(BEFORE['ticket'])}", f"{_odd(AFTER)} or {_odd(AFTER['ticket'])}"),
    *(("{ " * n + _odd(BEFORE["ticket"]), "{ " * n + _odd(AFTER["ticket"])) for n in (1_999, 2_000)),
    ("input_value={'a': 1}, input_type=dict", "input_value={'a': 2}, input_type=dict"),
    ("input_value='a', input_type=str", "input_value='b', input_type=str"),
    ("先に優先度を", "先に度を"),
    ("優先", "先優"),
    ({"b": 1, "a": "x"}, {"a": "x", "b": 1}),
    ({"a": None}, {"a": 1}),
    ([1, "two"], [1, "two", "three"]),
    ("", ""),
)
GERMAN, OTHER_GERMAN = {"title": "Größe", "tags": ["Öl"]}, {"title": "Übung", "tags": ["Öl"]}
LAYOUTS: tuple[dict[str, Any], ...] = ({}, {"separators": (",", ":")}, *({"indent": n} for n in (1, 2, 3, 4)))
CHANGED = {
    "whole": Changed(BEFORE, AFTER, (("ticket",),)),
    "title": Changed(BEFORE, AFTER, (("ticket", "title"),)),
    "paid": Changed(BEFORE, AFTER, (("paid",),)),
    "gone": Changed(BEFORE, AFTER, (("x", 0),)),
    "tags": Changed(BEFORE, AFTER, (("ticket", "tags"),)),
}
GROWN = (("[] is wrong", "['a'] is wrong"), ("[]", "{}"), ('"[]" is wrong', '"[\\"a\\"]" is wrong'))
TEXTS = (
    *(('Größe "x"', 'Übung "x"'), ("low", "a low end"), ("a low end", "low"), (" low ", "high\n")),
    ("\n\\", '"\t'),
)
LONGER = (("low is wrong", "low end is wrong"), ("lower", "low ender"), ("low", "low"))
QUOTES: dict[str, Callable[[str], str]] = {
    "plain": str,
    "escaped": json.dumps,
    "quoted": lambda text: json.dumps(text, ensure_ascii=False),
    "within a word": lambda text: f"{text}er",
}


def differences(page: Messages) -> Iterator[Block]:
    """How each pair of requests differs, the quoted answers left aside; and what the second leaves out."""
    decided = []
    for one, other in PAIRS:
        changes = dict(list(CHANGED.items())[:1]) if len(str(one)) > 1_000 else CHANGED  # long ones take their time
        ways = [(_differ(one, other, change, json.dumps(BEFORE)), name) for name, change in changes.items()]
        pair = json.dumps([one, other], ensure_ascii=False)
        decided.append(Decided(pair, sorted_out(ways), shortened(pair)))
    yield Block("two requests, by what was changed: compared, and left out", decided)
    grown = Changed({"tags": []}, {"tags": ["a"]}, (("tags",),))
    longer = Changed(["low"], ["low end"], ((0,),))
    for title, change, pairs in (("grown", grown, GROWN), ("longer", longer, LONGER)):
        yield Block(title, [(json.dumps(pair), _differ(*pair, change, "{}")) for pair in pairs])
    yield Block("a quotation in each layout", [*_spelled()])
    decided = []
    for was, now in TEXTS:
        for how, quote in QUOTES.items():
            one, other = (f"wrong: {quote(text.strip())}" for text in (was, now))
            name = f"{json.dumps(was)}, {json.dumps(now)} {how}"
            decided.append((name, _differ(one, other, Changed(None, now, ()), was)))
    yield Block("an answer that is no document", decided)


def _spelled() -> Iterator[Decided]:
    """Yield what a quotation counts as, with letters as they are or escaped, and in a JSON string."""
    changed = Changed(GERMAN, OTHER_GERMAN, (("title",),))
    for layout, ascii_only in product(LAYOUTS, (False, True)):
        plain = [json.dumps(data, ensure_ascii=ascii_only, **layout) for data in (GERMAN, OTHER_GERMAN)]
        escaped = [json.dumps(text)[1:-1] for text in plain]
        kept = [json.dumps(text, ensure_ascii=False)[1:-1] for text in plain]
        for how, (one, other) in (("plain", plain), ("escaped", escaped), ("kept", kept)):
            said = _differ(f"wrong: {one}", f"wrong: {other}", changed, "{}")
            yield Decided(one, said, f"{layout}{' ascii' * ascii_only} {how}")


def _differ(one: Any, other: Any, change: Changed, answer: str) -> str:
    def clean(text: str) -> str:
        return text.replace("\u200b", "")

    return " ".join(
        how({"said": one}, {"said": other}, Quotations.of(change, answer), clean).value for how in (compare, left_out)
    )
