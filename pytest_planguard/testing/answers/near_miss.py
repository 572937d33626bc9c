"""Near misses: answers with exactly one known mistake, in the document or in the text around it."""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from ...contract.constraints.text_constraints import matches
from ...contract.failure_kinds import FailureKind
from ...document.path import Path, put_at, to_dotted, value_at
from .shapes import Anything, Bound, Choice, Given, Items, Null, Number, Record, Reference, Text, Truth, Values

if TYPE_CHECKING:
    from .values import Site


NearMissKind = Literal[
    "drop_required", "null", "wrong_type", "unlisted_value", "too_short", "too_long", "below", "above",
    "not_a_multiple", "pattern", "format", "extra_key", "fewer_items", "more_items", "repeated_item", "lost_text",
    "forbidden_text", "unequal_lists", "unknown_ref", "self_reference", "cycle", "repeated_id", "truncated",
    "fenced", "prose_around", "thinking", "trailing_comma", "single_quotes", "not_a_number", "repeated_key",
    "two_documents", "schema_echo", "wrapped", "encoded", "empty", "ask_back", "refusal",
]  # fmt: skip
"""The kind of mistake. Kinds before "truncated" change one value of the document; the rest change the text around
it."""

KINDS: tuple[NearMissKind, ...] = get_args(NearMissKind)


@dataclass(frozen=True, slots=True)
class NearMiss:
    """One answer that a contract must reject, and why."""

    text: str
    """The answer as a model would write it."""
    kind: NearMissKind
    path: Path
    """The path of the mistake: keys and 0-based indices. () is the whole answer."""
    failure: FailureKind
    """The failure kind that the contract must report at `path` or at one of its parents."""
    value: Any = None
    """The parsed document; None if the text is not a valid document."""
    code: str | None = None
    """For a plan: the code of the rule that it breaks."""

    def __str__(self) -> str:
        """Return the kind and the path: 'too_short at tasks[0].title'."""
        return f"{self.kind} at {to_dotted(self.path)}"


OUTSIDER = "planguard_extra"
"""A key and a value that no schema contains."""


@dataclass(frozen=True, slots=True)
class Mutation:
    """One way to make a document wrong."""

    kind: NearMissKind
    path: Path
    failure: FailureKind
    value: Any
    """The wrong value at `path`."""


_Wrong = tuple[NearMissKind, FailureKind | None, Any]
"""The kind of mistake, the failure kind that reports it (None if nothing does, so it is skipped), and the wrong
value."""


def mutations(document: object, sites: list[Site]) -> Iterator[Mutation]:
    """Yield every mutation of a document, in document order."""
    for site in sites:
        for kind, failure, value in _of_site(site, value_at(document, site.path)):
            if failure is not None:
                yield Mutation(kind, site.path, failure, value)


def mutated(document: object, mutation: Mutation) -> Any:
    """Return a copy of the document with the mutation applied."""
    if not mutation.path:
        return mutation.value
    changed = copy.deepcopy(document)
    put_at(changed, mutation.path, mutation.value)
    return changed


def _of_site(site: Site, value: Any) -> Iterator[_Wrong]:
    shape = site.shape
    yield from _of_type(site, value)
    if isinstance(shape, Text):
        yield from _of_text(shape, value)
    elif isinstance(shape, Number):
        yield from _of_number(shape, value)
    elif isinstance(shape, Items):
        yield from _of_items(shape, value)
    elif isinstance(shape, Record):
        yield from _of_record(shape, value)


def _of_type(site: Site, value: object) -> Iterator[_Wrong]:
    """Yield values of a type that no lax parser accepts: pydantic reads "7" as a number, but never an object."""
    shape = site.shape
    if isinstance(shape, Null | Anything | Choice | Reference | Given):
        return
    if isinstance(shape, Values):
        yield "unlisted_value", shape.kind, OUTSIDER if OUTSIDER not in shape.values else [OUTSIDER]
        for refused in shape.refused:
            yield "unlisted_value", FailureKind.CONTENT, refused
        return
    typed = FailureKind.TYPE if isinstance(shape, Truth) else shape.typed
    yield "wrong_type", typed, 7 if isinstance(shape, Record | Items) else {OUTSIDER: []}
    if not site.nullable and value is not None:
        yield "null", typed, None


def _of_text(shape: Text, value: str) -> Iterator[_Wrong]:
    if shape.format:
        yield "format", shape.typed and FailureKind.FORMAT, "no such form"
    else:
        yield from _of_length(shape.length.low, shape.length.high, value)
    for demand in shape.patterns:
        # Texts of the same length, so that no length bound is broken.
        alike = (character * max(len(value), 1) for character in "!~ 0aA€")
        misfit = next((text for text in alike if not matches(str(demand.value), text)), None)
        if misfit is not None:
            yield "pattern", demand.kind, misfit
    for demand in shape.holds:
        yield "lost_text", demand.kind, value.replace(demand.value, "x" * len(demand.value))
    for demand in shape.lacks:
        yield "forbidden_text", demand.kind, str(demand.value)


def _of_length(low: Bound | None, high: Bound | None, value: str) -> Iterator[_Wrong]:
    if low is not None and low.limit >= 1:
        yield "too_short", low.kind, value.strip()[: int(low.limit) - 1].rstrip()
    if high is not None:
        yield "too_long", high.kind, value + "x" * (int(high.limit) + 1 - len(value))


def _of_number(shape: Number, value: float) -> Iterator[_Wrong]:
    """Yield numbers just outside each bound. Floats are off by 0.5, which doubles represent exactly."""
    unit = shape.multiple_of or (1 if shape.whole else 0.5)
    low, high = shape.size.low, shape.size.high
    if low is not None:
        yield "below", low.kind, math.floor(low.limit - unit) if shape.whole else low.limit - unit
    if high is not None:
        yield "above", high.kind, math.ceil(high.limit + unit) if shape.whole else high.limit + unit
    if shape.above is not None:
        yield "below", FailureKind.RANGE, shape.above
    if shape.below is not None:
        yield "above", FailureKind.RANGE, shape.below
    if shape.multiple_of is not None and not (shape.whole and shape.multiple_of == 1):
        yield from _off_multiple(shape, value, 1 if shape.whole else shape.multiple_of / 2)


def _off_multiple(shape: Number, value: float, step: float) -> Iterator[_Wrong]:
    """Yield a number within the bounds that is not a multiple: just above the value, or else just below it."""
    low, high = shape.size.low, shape.size.high
    for between in (value + step, value - step):
        if (low is None or between >= low.limit) and (high is None or between <= high.limit):
            yield "not_a_multiple", FailureKind.RANGE, between
            return


def _of_items(shape: Items, value: list[Any]) -> Iterator[_Wrong]:
    low, high = shape.count.low, shape.count.high
    if low is not None and low.limit >= 1:
        yield "fewer_items", low.kind, value[: int(low.limit) - 1]
    if high is not None and value and shape.unlike is None:
        yield "more_items", high.kind, [*value, *[value[-1]] * (int(high.limit) + 1 - len(value))]
    if shape.unlike is not None and len(value) >= 2:
        yield "repeated_item", shape.unlike.kind, [*value[:-1], value[0]]
    for demand in shape.holds:
        yield "lost_text", demand.kind, [item for item in value if item != demand.value]
    for demand in shape.lacks:
        if value:
            yield "forbidden_text", demand.kind, [*value[:-1], demand.value]


def _of_record(shape: Record, value: dict[str, Any]) -> Iterator[_Wrong]:
    for name, member in shape.members.items():
        if name != shape.tag and name in value:
            yield "drop_required", member.required, {key: below for key, below in value.items() if key != name}
    if shape.closed:
        yield "extra_key", FailureKind.EXTRA, {**value, OUTSIDER: 1}
    for group in shape.alike:
        lists = [name for name in group if isinstance(value.get(name), list)]
        first = next((name for name in lists if value[name]), None)
        if first is not None and len(lists) > 1:
            yield "unequal_lists", FailureKind.CONTENT, {**value, first: value[first][:-1]}


# Text that models write around a document (fences, prose, thinking blocks), or instead of it.


TextWrapping = Literal[
    "bare", "fenced", "prose_around", "thinking", "truncated", "schema_echo", "two_documents", "empty", "refusal",
    "ask_back",
]  # fmt: skip
"""How a model wraps or damages a document, or what it writes instead of one."""


@dataclass(frozen=True, slots=True)
class AnswerText:
    """A text that a model might write, and the document that it contains."""

    text: str
    wrapping: TextWrapping
    value: Any
    """The document as plain data. It satisfies the contract."""
    readable: bool
    """True if a parser should find exactly this document in the text; False if it should fail."""


TEXT_WRAPPINGS: Mapping[TextWrapping, bool] = {
    name: name in ("bare", "fenced", "prose_around", "thinking") for name in get_args(TextWrapping)
}
"""Maps each wrapping to True if the document can be read from it. Hypothesis shrinks to the first wrapping."""


Spoil = Callable[[str, Any, Mapping[str, Any]], str | None]
"""Takes the text, its document and the contract's JSON Schema. Returns the damaged text, or None if this way doesn't
apply."""


@dataclass(frozen=True, slots=True)
class Wrapping:
    """One way to damage a valid answer."""

    kind: NearMissKind
    failure: FailureKind
    spoil: Spoil
    holds: tuple[type, ...] = ()
    """Types of the documents that this way applies to, unless they are empty; () for any document."""
    found_anyway: bool = False
    """True if `extract="embedded"` still finds the document."""

    def spoilt(self, text: str, value: Any, schema: Mapping[str, Any]) -> str | None:
        """Return the damaged text; None if this way doesn't apply."""
        applies = not self.holds or (isinstance(value, self.holds) and value)
        return self.spoil(text, value, schema) if applies else None


def _not_a_number(_: str, value: dict[str, Any], __: Mapping[str, object]) -> str:
    """Set one member of the document to NaN, which is not a JSON number."""
    return json.dumps({**value, next(iter(value)): float("nan")}, ensure_ascii=False)


def _repeated_key(text: str, value: dict[str, Any], _: Mapping[str, object]) -> str:
    name, first = next(iter(value.items()))
    member = f"{json.dumps(name, ensure_ascii=False)}: {json.dumps(first, ensure_ascii=False)}"
    return f"{text[:-1].rstrip()}, {member}}}"


def _wrapped(text: str, value: object, schema: Mapping[str, Any]) -> str | None:
    """Nest the document one key too deep, if the schema requires a member that the wrapper doesn't have."""
    needed = schema.get("required", ())
    return f'{{"result": {text}}}' if isinstance(value, dict) and needed and "result" not in needed else None


_OBJECT, _NESTED = (dict,), (dict, list)
_REMARK = "Let me know if you need anything else."

WRAPPINGS = (
    # Two thirds of the text end inside the document, because its last character closes it.
    Wrapping("truncated", FailureKind.TRUNCATED, lambda text, *_: text[: max(1, len(text) * 2 // 3)], _NESTED),
    Wrapping("fenced", FailureKind.FENCE, lambda text, *_: f"```json\n{text}\n```", found_anyway=True),
    Wrapping(
        "prose_around",
        FailureKind.PROSE,
        lambda text, *_: f"Here is the result:\n\n{text}\n\n{_REMARK}",
        found_anyway=True,
    ),
    Wrapping(
        "thinking",
        FailureKind.THINKING,
        lambda text, *_: f"<think>\nThe fields are clear.\n</think>\n{text}",
        found_anyway=True,
    ),
    Wrapping("trailing_comma", FailureKind.INVALID_JSON, lambda text, *_: f"{text[:-1].rstrip()},{text[-1]}", _NESTED),
    Wrapping(
        "single_quotes",
        FailureKind.INVALID_JSON,
        lambda _, value, __: repr(value) if "'" in repr(value) else None,
        _OBJECT,
    ),
    Wrapping("not_a_number", FailureKind.NON_FINITE, _not_a_number, _OBJECT),
    Wrapping("repeated_key", FailureKind.DUPLICATE_KEY, _repeated_key, _OBJECT),
    Wrapping("two_documents", FailureKind.MULTIPLE, lambda text, *_: f"{text}\n\n{text}", _OBJECT),
    Wrapping(
        "schema_echo",
        FailureKind.SCHEMA_ECHO,
        lambda _, value, schema: json.dumps(schema) if isinstance(value, dict) and "properties" in schema else None,
    ),
    Wrapping("wrapped", FailureKind.WRAPPED, _wrapped),
    Wrapping("encoded", FailureKind.ENCODED, lambda text, _, schema: json.dumps(text) if schema else None, _OBJECT),
    Wrapping("empty", FailureKind.EMPTY, lambda *_: ""),
    Wrapping("ask_back", FailureKind.ASK_BACK, lambda *_: "Could you tell me which version you mean?"),
    Wrapping("refusal", FailureKind.REFUSAL, lambda *_: "I'm sorry, but I can't help with that request."),
)
