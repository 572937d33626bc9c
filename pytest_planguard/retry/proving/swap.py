"""Put another error in place of a finding: the app still has a reason to ask again, and must say something else.

If a finding is alone in its answer, a repair leaves no reason to retry. So the finding is repaired and another error is
planted, at another place and of another kind if the contract allows it. The words that then disappear from the retry
were about the finding.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from ...contract.phrasing import as_json
from ...document.edit import Edit, edit_document
from ...document.path import Path, get_at, to_dotted, value_at
from . import quoted_part
from .quoted_part import PartEdit
from .repair import Repaired, read_as_contract
from .request_diff import ChangedAnswer
from .schema_examples import samples

if TYPE_CHECKING:
    from ...contract.finding import Finding
    from ...contract.verdict import Verdict
    from ...document.answer import Document

MOST = 3
"""Maximum number of swaps of one finding. A second one distinguishes words that both errors share from words that never
change."""
TRIES = 48
"""Maximum number of errors to plant for one finding; each costs one check of the answer."""
_WRONG: tuple[Any, ...] = (None, {"?": 0}, [], "", -1)
"""Values that break some rule almost everywhere."""
_ABSENT = object()
_MOST_TELLING = 2
"""The highest score of a swap: the other error has another place and breaks another rule."""
_SAMPLES = 4
"""Maximum number of documents to make from the schema alone, if no answer of the conversation is sound."""


@dataclass(frozen=True, slots=True)
class Swapped(ChangedAnswer):
    """An answer with another error in place of a finding, and otherwise the same errors."""

    other: Finding
    """The error that replaces the finding."""
    edit: Edit | PartEdit
    """The edit that planted the other error."""
    elsewhere: bool
    """True if the other error is at another place than the finding."""
    unlike: bool
    """True if it breaks another rule."""

    @property
    def telling(self) -> int:
        """How many of these two differences from the finding it has, 0 to 2."""
        return self.elsewhere + self.unlike

    @property
    def words(self) -> str:
        """Return a description of the change: 'another error in its place (title became null)'."""
        if isinstance(self.edit, PartEdit):
            return f"another error in its place ({self.edit.words})"
        done = "was removed" if self.edit.action == "drop" else f"became {as_json(self.edit.value)}"
        return f"another error in its place ({to_dotted(self.edit.path)} {done})"


@dataclass(frozen=True, slots=True)
class _Base:
    """A sound document in which to plant another error."""

    document: Document
    places: tuple[Path, ...]
    """The places at which it differs from the answer."""


def swaps(
    finding: Finding,
    verdict: Verdict,
    contract: object,
    *,
    repaired: Repaired | None = None,
    donors: Sequence[str] = (),
    finish: str | None = None,
) -> Iterator[Swapped]:
    """Yield up to `MOST` answers with another error in place of a finding, the most informative first.

    Lazy: each answer is made on demand.

    Args:
        finding: one of the verdict's errors.
        verdict: the verdict on the answer.
        contract: judges each try (see `attempts.ContractLike`).
        repaired: the answer without the finding; None if the finding cannot be repaired alone.
        donors: texts of later answers of the conversation that meet the contract.
        finish: why the answer ended, for the contract.
    """
    others = Counter(f.identity for f in verdict.errors)
    others.subtract([finding.identity])
    if finding.quote:
        known = _in_part(finding, verdict, contract, +others, finish)
    else:
        known = _planted(finding, verdict, contract, +others, repaired, donors, finish)
    yield from islice(_chosen(islice(known, TRIES)), MOST)


def _planted(
    finding: Finding,
    verdict: Verdict,
    contract: Any,
    others: Counter[tuple[str, Path]],
    repaired: Repaired | None,
    donors: Sequence[str],
    finish: str | None,
) -> Iterator[Swapped]:
    tries = 0
    for base in _bases(finding, contract, others, repaired, donors):
        for edit in _edits(finding.path, base.document.data, verdict.data):
            tries += 1
            if tries > TRIES:
                return
            text = edit_document(base.document, edit)
            judged = contract.check(text, finish=finish) if text is not None else None
            other = _instead(finding, others, judged)
            if other is None or text is None or judged is None:
                continue
            places = base.places if base.places == ((),) else (*base.places, edit.path)
            yield Swapped(text, verdict.data, judged.data, places, other, edit, *_differences(finding, other))


def _in_part(
    finding: Finding, verdict: Verdict, contract: Any, others: Counter[tuple[str, Path]], finish: str | None
) -> Iterator[Swapped]:
    """Yield answers with another error in place of the part that the finding quotes."""
    for text, edit in quoted_part.swaps(finding, verdict.text):
        other = _instead(finding, others, contract.check(text, finish=finish))
        if other is not None:
            yield Swapped(text, None, None, (), other, edit, *_differences(finding, other))


def _bases(
    finding: Finding,
    contract: object,
    others: Counter[tuple[str, Path]],
    repaired: Repaired | None,
    donors: Sequence[str],
) -> Iterator[_Base]:
    """Yield the answer without the finding; for a finding about the whole answer, other sound documents.

    A later good answer also differs elsewhere: words about those places would disappear with the finding's.
    """
    if repaired is not None:
        yield _Base(read_as_contract(repaired.text, contract), (finding.path,))
    elif not others and not finding.path:
        schema: Any = getattr(contract, "json_schema", None)
        is_json = isinstance(schema, dict) and getattr(contract, "format", "auto") in ("auto", "json")
        made_up = map(json.dumps, islice(samples(schema, schema), _SAMPLES)) if is_json else ()
        for text in (*donors, *made_up):
            yield _Base(read_as_contract(text, contract), ((),))


def _edits(path: Path, data: object, before: object) -> Iterator[Edit]:
    """Yield errors to plant: first beside the finding, then further away, and last at its own place."""
    for place in _places(path, data):
        now = value_at(data, place)
        doubled = [[*now, *now]] if isinstance(now, list) and now else []  # too long, or no longer distinct
        yield from (Edit("put", place, value) for value in (*_WRONG, *doubled))
        if isinstance(place[-1], str):
            yield Edit("drop", place)
    if path and get_at(data, path, _ABSENT) is not _ABSENT:
        yield from (Edit("put", path, value) for value in _WRONG if get_at(before, path, _ABSENT) != value)
        yield Edit("drop", path)


def _places(path: Path, data: object) -> Iterator[Path]:
    """Yield the neighbours of a place, later ones first, then those of the enclosing objects."""
    for depth in range(max(len(path), 1) - 1, -1, -1):
        parent, own = path[:depth], path[depth:]
        keys = _keys(data, parent)
        at = keys.index(own[0]) if own and own[0] in keys else -1
        yield from ((*parent, key) for key in (*keys[at + 1 :], *keys[: max(at, 0)]))


def _keys(data: object, path: Path) -> list[str | int]:
    holder = get_at(data, path)
    if isinstance(holder, dict):
        return list(holder)
    return list(range(len(holder))) if isinstance(holder, list) else []


def _instead(finding: Finding, others: Counter[tuple[str, Path]], judged: Verdict | None) -> Finding | None:
    """Return the one additional error of an answer; None if it has several or none, or only the finding itself.

    The app must see it as it sees the finding: by its own validator, or not at all, if only our contract reports it. An
    app that could not read the answer reads this one with its validator.
    """
    if judged is None:
        return None
    more = [f for f in judged.errors if f.identity not in others]
    if len(more) != 1 or Counter(f.identity for f in judged.errors) != others + Counter([more[0].identity]):
        return None
    (other,) = more
    if other.identity == finding.identity or other.kind.phase.rank == 0:
        return None
    alike = other.kind.phase is finding.kind.phase and bool(other.validator_code) is bool(finding.validator_code)
    return other if alike or finding.kind.phase.rank == 0 or not finding.path else None


def _differences(finding: Finding, other: Finding) -> tuple[bool, bool]:
    """Return whether another error is at another place than the finding, and whether it breaks another rule."""
    return other.path != finding.path, other.code != finding.code


def _chosen(planted: Iterator[Swapped]) -> Iterator[Swapped]:
    """Yield the most informative swaps first, each with a place or a rule that earlier ones lack.

    The first one with another rule at another place cannot be improved, so planting stops there until the second is
    needed.
    """
    seen: list[Swapped] = []
    for one in planted:
        seen.append(one)
        if one.telling == _MOST_TELLING:
            break
    codes: set[str] = set()
    paths: set[Path] = set()
    while seen:
        best = max(seen, key=lambda s: (s.telling, s.other.code not in codes, s.other.path not in paths))
        yield best
        codes.add(best.other.code)
        paths.add(best.other.path)
        seen = [s for s in (*seen, *planted) if s.other.identity != best.other.identity]
