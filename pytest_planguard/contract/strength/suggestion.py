"""Suggest constraints that good answers satisfy, as values and as ready-to-use Python."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...document.path_pattern import parse_path
from ..constraints import builders
from ..phrasing import plural
from .evidence import DATE, all_distinct, format_of_all, references, span
from .operators import parallel_lists, repeats

if TYPE_CHECKING:
    from ..constraints.constraint import ContentConstraint
    from .evidence import Evidence, GoodAnswer, Place


SHORTER, LONGER = 0.5, 2.0
"""Slack for lengths: a text may have half the characters of the shortest good one, and twice those of the longest."""
ROOM = 20
"""Every suggested bound allows at least this many characters. Ids of two letters say little about the next one's
length."""
MORE_ITEMS = 2.0
"""Upward slack for counts. There is no downward slack: models that stop early give shorter lists than good answers."""
OWN_WORDS = 8
"""Minimum average number of words for texts that must not copy the prompt. Shorter texts may name the same things
("Deploy the Mobile Field Teams"), so they only must not copy an example."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A constraint that every good answer satisfies."""

    place: str
    """The field of the constraint."""
    python: str
    """The expression: `distinct("steps")`."""
    constraint: ContentConstraint = field(compare=False, repr=False)
    evidence: str = ""
    """The evidence, for a comment: "3 to 6 items in 12 answers"."""
    helper: str = ""
    """Source of a function that the expression calls; "" if it needs none."""
    broken_by: tuple[str, ...] = ()
    """Names of the few given answers that break it and are probably not good. Only `measure.DOUBTFUL` ones have any."""

    def is_broken_by(self, answer: GoodAnswer) -> bool:
        """Return True if an answer breaks the constraint."""
        return any(self.constraint.findings(answer.data, answer.context))

    @property
    def builder(self) -> str:
        """The name to import from `pytest_planguard`."""
        return self.python.partition("(")[0]


def suggestions(evidence: Evidence, *, fewer_items: float = 1.0) -> Iterator[Suggestion]:
    """Yield the constraints that good answers satisfy: relations first, because they say most, then place by place.

    Args:
        evidence: the places of good answers.
        fewer_items: the share of the shortest list's items that a list must have.
    """
    yield from _of_relations(evidence)
    for place in evidence.values():
        if place.name:
            yield from _of_place(place, fewer_items)


def _of_place(place: Place, fewer_items: float) -> Iterator[Suggestion]:
    if place.holds(str):
        yield from _of_texts(place)
    elif place.holds(list):
        yield from _of_lists(place, fewer_items)
    elif place.holds(float):
        yield from _of_numbers(place)
    elif place.holds(bool):
        yield _made(place.name, "one_of", (True, False), f"{len(place.sites)} truth values")


def _of_texts(place: Place) -> Iterator[Suggestion]:
    texts, number = place.texts, len(place.sites)
    lengths = [len(text.strip()) for text in texts]
    if repeats(texts):
        kinds = sorted(set(texts))
        yield _made(place.name, "one_of", kinds, f"{len(kinds)} values in {number} texts")
        return
    form = format_of_all(texts)
    if form is not None and number > 2:
        what = f"{'an' if form[0][0] in 'aeio' else 'a'} {form[0]}"
        yield _made(place.name, "regex", (form[1],), f"each of {number} texts is {what}", match="fullmatch")
        if form[0] == DATE:
            return  # all dates are equally long
    if min(lengths) >= 2:
        least = max(2, math.floor(min(lengths) * SHORTER))
        yield _made(place.name, "min_length", (least,), f"{span(lengths, 'character')}, {plural(number, 'text')}")
    most = max(ROOM, max(lengths) * LONGER)
    yield _made(place.name, "max_length", (_round_up(most),), f"at most {plural(max(lengths), 'character')}")
    if sum(len(text.split()) for text in texts) >= OWN_WORDS * number:
        yield _made(place.name, "not_copied", (), f"{plural(number, 'text')} in words of their own")
    no_example = f"{plural(number, 'text')} that are no example's"
    yield _made(place.name, "not_copied", (), no_example, sources=("examples", "feedback"))
    filler = {"ignore_case": True, "language": "la"}
    yield _made(place.name, "excludes", ("lorem ipsum",), f"none of {plural(number, 'text')} is filler", **filler)


def _of_lists(place: Place, fewer_items: float) -> Iterator[Suggestion]:
    lengths = [len(value) for value in place.values]
    if max(lengths) > 1:
        yield _made(place.name, "distinct", (), f"no item repeats in {plural(len(lengths), 'list')}")
    if min(lengths) > 0:
        bounds = (max(1, math.floor(min(lengths) * fewer_items)), _round_up(max(lengths) * MORE_ITEMS))
        yield _made(place.name, "count", bounds, f"{span(lengths, 'item')} in {plural(len(lengths), 'list')}")


def _of_numbers(place: Place) -> Iterator[Suggestion]:
    low, high = min(place.values), max(place.values)
    slack = max(abs(low), abs(high), 1)
    bounds = (0 if low >= 0 else low - slack, high + slack)
    yield _made(place.name, "in_range", bounds, f"{low} to {high} in {plural(len(place.sites), 'number')}")


def _of_relations(evidence: Evidence) -> Iterator[Suggestion]:
    known = references(evidence)
    sources = {reference.source for reference in known}
    for place in evidence.values():
        by_answer: dict[int, list[object]] = {}
        for site in place.sites:
            by_answer.setdefault(site.answer, []).append(site.value)
        scalars = place.holds(str) or place.holds(int)
        if place.name in sources:
            continue  # two tasks may wait for the same one
        if "[*]." in place.name and scalars and all_distinct(by_answer.values()) and len(place.sites) > len(by_answer):
            yield _made(place.name, "distinct", (), "no value repeats in an answer")
    for first, second in parallel_lists(evidence):
        within, _, left = first.rpartition(".")
        keyword = {"within": within} if within else {}
        right = second.rpartition(".")[2]
        constraint = builders.same_length(left, right, within=within)
        python = _call("same_length", (left, right), keyword)
        yield Suggestion(first, python, constraint, "equal lengths in every answer")
    for reference in known:
        words = "".join(char if char.isalnum() else " " for char in reference.source).split()
        name = f"{'_'.join(words) or 'values'}_exist"
        check = _existing(reference.source, reference.target)
        yield Suggestion(
            reference.source,
            f'custom("", {name})',
            builders.custom("", check, name=name),
            f"each value occurs at {reference.target}",
            _helper(name, reference.source, reference.target),
        )


def _existing(source: str, target: str) -> Callable[[object], list[str]]:
    def check(answer: object) -> list[str]:
        known = [value for _, value in parse_path(target).select(answer)]
        values = [value for _, value in parse_path(source).select(answer)]
        return [f"{value!r} names nothing" for value in values if value is not None and value not in known]

    return check


def _helper(name: str, source: str, target: str) -> str:
    """Return the same check in plain Python, with loops for wildcards."""
    return (
        f"def {name}(answer: Any) -> list[str]:\n"
        f'    """Each value of {source} occurs at {target}."""\n'
        f"    known = [{_loops(target)}]\n"
        f"    values = [{_loops(source)}]\n"
        f'    return [f"{{value!r}} names nothing" for value in values if value is not None and value not in known]\n'
    )


def _loops(path: str) -> str:
    """Return "tasks[*].id" as `item0.get("id") for item0 in answer.get("tasks") or []`; missing parts are empty."""
    loops, here, depth = "", "answer", 0
    for step in parse_path(path).steps:
        if isinstance(step, str):
            here = f"({here} or {{}}).get({_literal(step)})" if "." in here else f"{here}.get({_literal(step)})"
        else:
            loops += f" for item{depth} in {here} or []"
            here, depth = f"item{depth}", depth + 1
    return here + loops


def _made(place: str, builder: str, arguments: Any, evidence: str, **options: Any) -> Suggestion:
    arguments = tuple(arguments)
    constraint = getattr(builders, builder)(place, *arguments, **options)
    return Suggestion(place, _call(builder, (place, *arguments), options), constraint, evidence)


def _call(builder: str, arguments: tuple[Any, ...], options: dict[str, Any]) -> str:
    parts = [_literal(value) for value in arguments]
    return f"{builder}({', '.join([*parts, *(f'{key}={_literal(value)}' for key, value in options.items())])})"


def _literal(value: object) -> str:
    """Return a value as Python: texts in double quotes, patterns as raw strings."""
    if isinstance(value, str):
        # A backslash before the closing quote, as in r"C:\temp\", would escape it; a line break needs an escape.
        raw = "\\" in value and '"' not in value and value.isprintable() and not value.endswith("\\")
        if raw:
            return f'r"{value}"'
        quoted = repr(value)
        return f'"{quoted[1:-1]}"' if '"' not in quoted else quoted
    if isinstance(value, (list, tuple)):
        inner = ", ".join(map(_literal, value))
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    return repr(value)


def _round_up(value: float) -> int:
    """Return a round bound: the next multiple of ten if above twenty, else the next whole number."""
    return math.ceil(value) if value <= 20 else math.ceil(value / 10) * 10


# Suggested constraints as ready-to-use Python: imports, helper functions, a list.


def constraints_module(suggestions: Sequence[Suggestion]) -> str:
    """Return a module that defines `CONSTRAINTS`; "" without suggestions."""
    if not suggestions:
        return ""
    names = sorted({suggestion.builder for suggestion in suggestions})
    helpers = "".join(f"\n\n{helper}" for helper in dict.fromkeys(one.helper for one in suggestions) if helper)
    lines = "".join(constraint_lines(suggestion) for suggestion in suggestions)
    gap = "\n\n" if helpers else "\n"
    typing = "from typing import Any\n\n" if helpers else ""
    return f"{typing}from pytest_planguard import {', '.join(names)}\n{helpers}{gap}CONSTRAINTS = [\n{lines}]\n"


def constraint_lines(suggestion: Suggestion) -> str:
    """Return the line of a constraint below a comment with its evidence."""
    evidence = " ".join(suggestion.evidence.split())
    return f"    # {evidence}{_doubt(suggestion)}\n    {suggestion.python},\n"


def _doubt(suggestion: Suggestion) -> str:
    """Return text with up to three given answers that break the constraint; "" if none does."""
    names = suggestion.broken_by
    if not names:
        return ""
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f", but for these (are they good?): {' '.join(', '.join(names[:3]).split())}{more}"
