"""Measure a contract: mutate good answers, count rejected mutants, and suggest constraints for the others."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from ...errors import ContractFailed, UsageError
from .evidence import GoodAnswer, data_of, evidence_of
from .operators import OPERATORS, Mutant, View
from .suggestion import Suggestion, constraints_module, suggestions

if TYPE_CHECKING:
    from pathlib import Path

    from .. import Contract
    from ..constraints.scene import CheckContext
    from .evidence import Evidence


# A committed file lists mutants that are good answers too, one on each line with a reason: `OPERATOR PLACE -- reason`,
# for example `swapped title -- both are free text`. `#` begins a comment.


@dataclass(frozen=True, slots=True)
class Equivalent:
    """The mutants of one operator at one place that the user listed as equivalent."""

    operator: str
    place: str
    """The place in the spelling of reports: "steps[*]"."""
    reason: str


def read_equivalents(text: str, source: str = "the list of equivalent mutants") -> tuple[Equivalent, ...]:
    """Return the entries of a file.

    Raises:
        UsageError: a line has no place or no reason, or names an unknown operator.
    """
    lines = (line.strip() for line in text.split("\n"))
    return tuple(
        _entry(line, f"{source}:{at}") for at, line in enumerate(lines, 1) if line and not line.startswith("#")
    )


def _entry(line: str, where: str) -> Equivalent:
    named, _, reason = line.partition(" -- ")
    operator, _, place = named.strip().partition(" ")
    if not place.strip() or not reason.strip():
        raise UsageError(f"{where}: no equivalent mutant: got {line!r}; write OPERATOR PLACE -- reason")
    if operator not in OPERATORS:
        raise UsageError(f"{where}: unknown operator: got {operator!r}; there are {', '.join(OPERATORS)}")
    return Equivalent(operator, place.strip(), reason.strip())


EACH = 5
"""Maximum number of mutants per operator and place. More would add little."""
DOUBT = 0.15
"""Share of the given answers that may break a suggested constraint of `DOUBTFUL`. Without a check such faults are never
found, and a few of them must not hide the constraint that finds them. The suggestion names them."""
DOUBTFUL = ("distinct", "not_copied")
BOUNDS = ("min_length", "max_length")


@dataclass(frozen=True, slots=True)
class Survivors:
    """Accepted mutants of one operator at one place."""

    operator: str
    place: str
    mutants: tuple[Mutant, ...]
    """The mutants; at least one."""
    example: str
    """The changed value of the first as JSON, or "left out"."""
    suggestion: Suggestion | None
    """A constraint that rejects them and accepts every good answer, if any."""


@dataclass(frozen=True, slots=True)
class Strength:
    """How many mutants a contract rejects ("kills")."""

    contract: str
    answers: int
    """Number of good answers that were mutated."""
    rejected: tuple[str, ...]
    """Names of the given answers that the contract rejects. No mutants are made of them."""
    made: dict[str, int]
    """Number of mutants per operator, without equivalent ones."""
    killed: dict[str, int]
    """Number of rejected mutants per operator."""
    survivors: tuple[Survivors, ...]
    equivalent: int
    """Number of mutants that are listed as equivalent."""
    unused: tuple[Equivalent, ...]
    """Entries of the list that match no accepted mutant."""
    other_ends: tuple[Suggestion, ...] = ()
    """For each suggested bound of length, the opposite bound: a text that may be too long may also be too short."""

    @property
    def share(self) -> float:
        """The share of rejected mutants, from 0 to 1; 1.0 without mutants."""
        made = sum(self.made.values())
        return sum(self.killed.values()) / made if made else 1.0

    @property
    def suggestions(self) -> tuple[Suggestion, ...]:
        """Each suggested constraint once: in the order of the survivors, then the opposite bounds."""
        killers = [group.suggestion for group in self.survivors if group.suggestion is not None]
        return tuple(dict.fromkeys([*killers, *self.other_ends]))


def measure(
    contract: Contract[object],
    answers: Sequence[GoodAnswer],
    *,
    operators: Iterable[str] = tuple(OPERATORS),
    equivalents: Sequence[Equivalent] = (),
    seed: int = 0,
    each: int = EACH,
) -> Strength:
    """Return how strong a contract is. The same arguments give the same result.

    Args:
        contract: the contract to measure.
        answers: recorded answers. Those that the contract rejects are reported and left out.
        operators: names of the mutation operators to use.
        equivalents: mutants that are good answers too.
        seed: selects the sites if a place has more than `each`.
        each: the maximum number of mutants per operator and place, at least 1.

    Raises:
        UsageError: an unknown operator, or no answer that the contract accepts.
    """
    good: list[GoodAnswer] = []
    rejected: list[str] = []
    for answer in answers:
        if contract.check(answer.data, context=answer.context).ok:
            good.append(answer)
        else:
            rejected.append(answer.name)
    if not good:
        raise UsageError(
            f"no good answer: got {len(answers)}, and {contract.name} accepts none; give answers it accepts"
        )
    evidence = evidence_of(good)
    groups = all_mutants(good, evidence, _known(operators), seed, each)
    return replace(_judged(contract, good, evidence, groups, equivalents), rejected=tuple(rejected))


def _known(operators: Iterable[str]) -> tuple[str, ...]:
    names = tuple(operators)
    for name in names:
        if name not in OPERATORS:
            raise UsageError(f"unknown operator: got {name!r}; there are {', '.join(OPERATORS)}")
    return names


def all_mutants(
    good: Sequence[GoodAnswer],
    evidence: Evidence,
    operators: Iterable[str] = tuple(OPERATORS),
    seed: int = 0,
    each: int = EACH,
) -> Iterator[list[Mutant]]:
    """Yield the mutants grouped by operator and place. Takes the arguments of `measure`."""
    for name in operators:
        for place in evidence.values():
            # A separate one for each place: one more field in the answers does not change the mutants of the others.
            drawn = random.Random(f"{seed} {name} {place.name}")
            sites = drawn.sample(place.sites, len(place.sites))
            views = (View(site, place, evidence, good[site.answer]) for site in sites)
            made = (Mutant(name, view.site.answer, edits) for view in views for edits in OPERATORS[name](view))
            if group := list(islice(made, each)):
                yield group


def _judged(
    contract: Contract[object],
    good: Sequence[GoodAnswer],
    evidence: Evidence,
    groups: Iterable[list[Mutant]],
    equivalents: Sequence[Equivalent],
) -> Strength:
    made: dict[str, int] = {}
    killed: dict[str, int] = {}
    survivors, marked, used = [], 0, set()
    known = allowed_suggestions(evidence, good)
    by_mark = {(entry.operator, entry.place): entry for entry in equivalents}
    for mutants in groups:
        operator, place = mutants[0].operator, mutants[0].place
        of = ((mutant, good[mutant.answer]) for mutant in mutants)
        alive = [m for m, one in of if contract.check(m.of(one.data), context=one.context, located=False).ok]
        mark = by_mark.get((operator, place))
        if alive and mark is not None:
            used.add(mark)
            marked += len(alive)
            # The user says that they are good answers, so they count neither as made nor as killed.
            mutants = [mutant for mutant in mutants if mutant not in alive]
            alive = []
        made[operator] = made.get(operator, 0) + len(mutants)
        killed[operator] = killed.get(operator, 0) + len(mutants) - len(alive)
        if alive:
            survivors.append(Survivors(operator, place, tuple(alive), _example(alive[0]), _killer(alive, known, good)))
    unused = tuple(entry for entry in equivalents if entry not in used)
    ends = _other_ends(survivors, known)
    return Strength(contract.name, len(good), (), made, killed, tuple(survivors), marked, unused, ends)


def _other_ends(survivors: Sequence[Survivors], known: Sequence[Suggestion]) -> tuple[Suggestion, ...]:
    """Return both bounds of length at the places with a suggested one."""
    places = {one.place for group in survivors if (one := group.suggestion) is not None and one.builder in BOUNDS}
    return tuple(one for one in known if one.place in places and one.builder in BOUNDS)


def allowed_suggestions(evidence: Evidence, good: Sequence[GoodAnswer]) -> list[Suggestion]:
    """Return the suggestions that all good answers satisfy, then the `DOUBTFUL` ones that only a few answers break."""
    judged = [
        replace(one, broken_by=tuple(answer.name for answer in good if one.is_broken_by(answer)))
        for one in suggestions(evidence)
    ]
    kept = [one for one in judged if not one.broken_by]
    doubtful = [one for one in judged if one.broken_by and one.builder in DOUBTFUL]
    return [*kept, *(one for one in doubtful if len(one.broken_by) <= DOUBT * len(good))]


def _killer(mutants: Sequence[Mutant], known: Sequence[Suggestion], good: Sequence[GoodAnswer]) -> Suggestion | None:
    """Return the constraint that rejects most of the mutants. Prefer one at their place."""
    place = mutants[0].place
    near = sorted(known, key=lambda suggestion: (bool(suggestion.broken_by), suggestion.place != place))
    best = max(near, key=lambda suggestion: _kills(suggestion, mutants, good), default=None)
    return best if best is not None and _kills(best, mutants, good) else None


def _kills(suggestion: Suggestion, mutants: Sequence[Mutant], good: Sequence[GoodAnswer]) -> int:
    return sum(
        any(suggestion.constraint.findings(mutant.of(good[mutant.answer].data), good[mutant.answer].context))
        for mutant in mutants
    )


def _example(mutant: Mutant) -> str:
    value = mutant.edits[0].value
    try:
        return json.dumps(value, ensure_ascii=False)[:80]
    except TypeError:  # the marker of a removed key
        return "left out"


# An assertion that a contract rejects enough mutants of good answers.

SHOWN = 10
"""Maximum number of groups of accepted mutants in the message."""


class ContractTooWeak(ContractFailed):
    """A contract accepts too many mutants of good answers. The message lists constraints that would reject them."""


def assert_strength(
    contract: Contract[Any],
    answers: Iterable[Any],
    *,
    at_least: float = 0.9,
    context: CheckContext | None = None,
    operators: Iterable[str] = tuple(OPERATORS),
    equivalents: Path | None = None,
    seed: int = 0,
) -> Strength:
    """Assert that a contract rejects enough mutants of good answers, and return the measurement.

    Args:
        contract: the contract to measure.
        answers: recorded good answers, as text or parsed values.
        at_least: the share of mutants that the contract must reject, from 0 to 1.
        context: the prompt and the examples that the answers may have been copied from.
        operators: names of the mutation operators to use.
        equivalents: a file that lists mutants that are good answers, too.
        seed: selects the values to mutate if there are many; the same seed gives the same result.

    Raises:
        ContractFailed: the contract accepts too many mutants. The message has the missing constraints as Python code.
        UsageError: the contract accepts none of the answers, an operator is unknown, or a share is not from 0 to 1.
    """
    if not 0 <= at_least <= 1:
        raise UsageError(f"at_least is a share: got {at_least!r}; give a number from 0 to 1")
    known = read_equivalents(equivalents.read_text(encoding="utf-8"), str(equivalents)) if equivalents else ()
    good = [GoodAnswer(f"answer {at}", data_of(contract, answer), context) for at, answer in enumerate(answers, 1)]
    result = measure(contract, good, operators=operators, equivalents=known, seed=seed)
    if result.share < at_least:
        raise ContractTooWeak(weakness(result, at_least))
    return result


def weakness(result: Strength, at_least: float) -> str:
    """Return the message about the survivors, with the constraints to add."""
    killed, made = sum(result.killed.values()), sum(result.made.values())
    groups = [f"  {group.operator} {group.place}: {group.example}" for group in result.survivors[:SHOWN]]
    more = len(result.survivors) - len(groups)
    tail = [f"  and {more} more"] if more > 0 else []
    python = constraints_module(result.suggestions)
    advice = ["add to the contract:", python] if python else []
    head = (
        f"{result.contract} is too weak: got {killed} of {made} mutants killed ({percent(result.share)}), expected at "
        f"least {percent(at_least)}; it accepts:"
    )
    return "\n".join([head, *groups, *tail, *advice])


def percent(share: float) -> str:
    """Return a share as a percentage, rounded down, so that only 1 is 100 %: 0.999 is "99%"."""
    # 0.29 * 100 is 28.999999999999996.
    return f"{int(share * 100 + 1e-9)}%"
