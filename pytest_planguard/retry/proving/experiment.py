"""One finding that is tried: the changed answers to give the app again, and what follows from what it then sends."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ...document.path import to_dotted
from ..proof import Proof, ProofResult
from ..reading.entry import clip
from .attribution import ends_at_limit, entry_around, lines_above, new_turns, unwrapped, words_that_go
from .bounds import positions_in
from .meaning import ELSEWHERE, Meaning, Reading, saying, spells_place
from .repair import Repaired, read_as_contract
from .request_diff import Difference
from .sentences import bullets_of
from .sibling import Item, Moved, item_in, strays
from .swap import Swapped
from .trial import Change, Changes, Trial, positions_of

if TYPE_CHECKING:
    from ...contract.finding import Finding


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the runs for one finding have shown."""

    change: Difference
    """What went out of the next request with the finding."""
    meaning: Meaning = Meaning.NOTHING
    """What these words say."""
    item: Item | None = None
    """Where they went with the same fault at another item; None where that was not tried, or need not be."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table."""

    holds: Callable[[Evidence], bool]
    result: ProofResult
    example: str
    """What an app says of `nights` = 90 where 1 to 28 are allowed; in rows about items, of `guests[1].age` = 410."""


TABLE = (
    Row(lambda e: e.change is Difference.NONE, ProofResult.MISSING, "it always says: please try again"),
    Row(lambda e: e.change is Difference.COUNT, ProofResult.MISSING, "it says: there are 2 errors"),
    Row(lambda e: e.meaning is Meaning.STOCK, ProofResult.MISSING, "it says: that was wrong, please try again"),
    Row(lambda e: e.meaning is Meaning.CUT, ProofResult.MISSING, "it says: not valid: nig"),
    Row(lambda e: e.meaning is Meaning.OTHER_PLACE, ProofResult.WRONG, "it says: guest must be at most 28"),
    Row(lambda e: e.meaning is Meaning.OTHER_PROBLEM, ProofResult.WRONG, "it says: nights must be a text"),
    Row(lambda e: e.meaning is Meaning.OTHER_BOUND, ProofResult.WRONG, "it says: `nights` не может быть меньше 1"),
    Row(lambda e: e.item is Item.STRAYS, ProofResult.WRONG, "it says: guests[0].age is over 120"),
    Row(
        lambda e: e.change in (Difference.NUMBERS, Difference.VALUES) and e.item is not Item.FOLLOWS,
        ProofResult.UNPROVEN,
        "it says: something is wrong near character 40",
    ),
    Row(lambda e: e.meaning is Meaning.OTHER_FAULT, ProofResult.UNCLEAR, "it says: nights: nous en avons besoin"),
    Row(lambda e: e.item is Item.SILENT, ProofResult.REACTS, "it says: one of your guests is too old"),
    Row(lambda e: e.meaning is Meaning.OWN, ProofResult.PROVEN, "it says: mehr als 28 Nächte geht nicht"),
    Row(lambda _: True, ProofResult.REACTS, "it says: that is quite a long stay, isn't it?"),
)
"""The first row that holds decides."""


def decide(evidence: Evidence) -> ProofResult:
    """Return what follows from the evidence."""
    return next(row.result for row in TABLE if row.holds(evidence))


ENDED = "and the app ended before it asked again"
ALL_SAID = "still said it all"
SHOWN = 120
"""Characters of the words that went that a reason shows."""
_ITEMS = 100
"""Items of a list whose numbers are looked for in words."""
NO_ROOM = "no error at another place and of another kind could be planted"


@dataclass(frozen=True, slots=True)
class Experiment:
    """One finding of one answer, and the changed answers that can tell whether it was fed back."""

    conversation: str
    attempt: int
    exchange: int
    """The exchange whose answer is changed, from 1."""
    finding: Finding
    changes: Changes
    """At least one, in the order in which they are to be tried: until one takes words away."""
    answer: str
    """The answer as it was recorded."""
    contract: Any
    targets: tuple[int, ...]
    """The exchanges whose requests react to it, in order: tool steps, then the next attempt."""
    later: frozenset[int] = frozenset()
    """The exchanges of the conversation behind those."""
    others: frozenset[int] = frozenset()
    """The retries of other conversations."""
    moved: Moved | None = None
    """The same fault at another item, if the finding's place has one: tried if words do not spell out the item."""
    names: frozenset[str] = frozenset()
    """The property names of the contract's schema."""

    def proof(self, result: ProofResult, reason: str) -> Proof:
        """Return what came of it."""
        return Proof(self.conversation, self.attempt, self.exchange, self.finding, result, reason)

    def tried(self, run: Callable[[Change], Trial]) -> Proof:
        """Return what follows from as many changed answers as it takes; `run` gives the app one of them."""
        trials = [run(self.change_after(()))]
        while (proof := self.concluded(trials)) is None:
            trials.append(run(self.change_after(trials)))
        return proof

    def change_after(self, trials: Sequence[Trial]) -> Change:
        """Return the answer to try next, where `concluded` has told that one is needed."""
        tried = [t for t in trials if not isinstance(t.change, Moved)]
        if self.moved is not None and len(tried) == len(trials) and self._telling(trials) is not None:
            return self.moved
        following = self.changes.at(len(tried))
        if following is None:
            raise IndexError(f"no answer is left to try after {len(trials)}")
        return following

    def concluded(self, trials: Sequence[Trial]) -> Proof | None:
        """Return what follows from the trials so far, in their order; None if one more must tell.

        The first trial that took words away, or a count, is read. Before it, trials that changed nothing may tell.
        """
        telling = self._telling(trials)
        if telling is not None:
            return self._read(telling, trials)
        same = [t.change for t in trials if self._stayed(t)]

        def more() -> bool:
            return self.changes.at(len(trials)) is not None

        if _tell(same, more):
            return self._missing(same[-1], "stayed the same" if _takes_away(same[-1]) else ALL_SAID)
        return None if trials[-1].trouble is None and more() else self._unproven(trials[0])

    def _telling(self, trials: Sequence[Trial]) -> tuple[Trial, int] | None:
        """Return the trial whose words are to be read, and the number of the request that they went from."""
        for trial in trials:
            if isinstance(trial.change, Moved):
                continue
            ways = {number: seen.difference for number, seen in trial.seen.items()}
            words = [number for number, how in ways.items() if how is Difference.WORDS]
            counted = [number for number, how in ways.items() if how is Difference.COUNT]
            numbers = [n for n, how in ways.items() if how is Difference.NUMBERS and self.moved and trial.seen[n].gone]
            if words or numbers:
                return trial, (words or numbers)[0]
            if counted and _takes_away(trial.change) and self._arrived(trial):
                return trial, counted[0]
        return None

    def _read(self, telling: tuple[Trial, int], trials: Sequence[Trial]) -> Proof | None:
        """Return what the words that went say; None where the same fault at another item must tell more."""
        trial, number = telling
        seen = trial.seen[number]
        if seen.difference is Difference.COUNT:
            return self._missing(trial.change, "differs in a count")
        words = unwrapped(seen.gone, self.names)
        above, entry = lines_above(words, seen.before), entry_around(words, seen.before)
        now, change = "\n".join(new_turns(seen.now, seen.before)), trial.change
        is_elsewhere = isinstance(change, Swapped) and change.elsewhere
        still, kept = now if is_elsewhere else "", now if _takes_away(change) else ""
        more = {"above": above, "entry": entry, "still": still, "kept": kept}
        others = [*self._instead(trials, number)]
        ends = ends_at_limit(seen.gone, seen.before, seen.now)
        found = saying(self.finding, words, self.answer, self.contract, self.names, ends=ends, others=others, **more)
        item = Item.FOLLOWS if spells_place(self.finding, seen.gone) else None
        if self.moved is not None and item is None and found.meaning not in (*ELSEWHERE, Meaning.CUT):
            there = next((t for t in trials if t.change is self.moved), None)
            if there is None:
                return None
            item = self._item(there, trial, number)
        if found.more and trials[-1].trouble is None and self._follows(trials):
            return None
        result = decide(Evidence(seen.difference, found.meaning, item))
        proof = replace(
            self.proof(result, self._reason(result, trial, number, found)), undecided=result is ProofResult.UNPROVEN
        )
        before, left = (seen.before, seen.now) if _takes_away(change) else ((), ())
        return replace(proof, said=seen.gone, before=before, left=left)

    def _instead(self, trials: Sequence[Trial], number: int) -> Iterator[str]:
        """Yield what a request says of each fault that was planted in the finding's place."""
        for trial in trials:
            if isinstance(trial.change, Swapped) and number in trial.seen:
                seen = trial.seen[number]
                positions = {n for path in (self.finding.path, trial.change.other.path) for n in positions_of(path)}
                yield words_that_go(seen.now, seen.before, cuts=False, positions=positions)

    def _follows(self, trials: Sequence[Trial]) -> bool:
        """Return whether an answer is left to try."""
        return self.changes.at(sum(not isinstance(t.change, Moved) for t in trials)) is not None

    def _item(self, there: Trial, telling: Trial, number: int) -> Item | None:
        """Return what is told of the item; None where the app did not come so far, or tells nothing of the other one.

        Both are held against the request without the fault, so that the order in which faults are told changes nothing.
        """
        seen, other = telling.seen[number], there.seen.get(number)
        if other is None or (moved := self.moved) is None:
            return None
        cuts = _takes_away(telling.change)
        # A number of any other item is no count, either: who tells the wrong one of three tells the third.
        positions = {*moved.numbers, *range(min(moved.items, _ITEMS) + 1)}
        bullets = bullets_of(seen.before) != bullets_of(other.now)  # who numbers errors has the same for as many
        data = read_as_contract(self.answer, self.contract).data

        gone, elsewhere = (
            words_that_go(one, seen.now, cuts=cuts, positions=positions, bullets=bullets)
            for one in (seen.before, other.now)
        )
        found = item_in(gone, elsewhere, moved, positions_in(self.finding, gone, data))
        # An error that was planted in the same item may stand below the same heading, which then does not go.
        both = ["\n".join(new_turns(*pair)) for pair in ((seen.before, other.now), (other.now, seen.before))]
        return Item.STRAYS if found is not None and strays(both[0], both[1], moved) else found

    def _reason(self, result: ProofResult, trial: Trial, number: int, found: Reading) -> str:
        words = trial.seen[number].gone
        done = f'{trial.change.words}, and request {number} no longer said "{clip(words, SHOWN)}"'
        if result is ProofResult.WRONG:
            instead = found.instead or f"the words name a different item from {to_dotted(self.finding.path)}"
            return f"the app reacts, but {instead}: {done}"
        if result is ProofResult.UNCLEAR:
            return f"{found.instead}: {done}"
        return (
            f"{trial.change.words}, and only numbers changed in the next request"
            if result is ProofResult.UNPROVEN
            else done
        )

    def _arrived(self, trial: Trial) -> bool:
        """Return whether the retry was sent."""
        return trial.trouble is None and self.targets[-1] in trial.seen

    def _stayed(self, trial: Trial) -> bool:
        """Return whether the retry was sent, and says all that it said before, counts and repetitions aside."""
        ways = {seen.difference for seen in trial.seen.values()}
        return self._arrived(trial) and ways <= {Difference.NONE, Difference.COUNT}

    def _missing(self, change: Change, how: str) -> Proof:
        words = f"the app was run again: {change.words}, and request {self.targets[-1]} {how}"
        return self.proof(ProofResult.MISSING, words)

    def _unproven(self, trial: Trial) -> Proof:
        """Return why nothing follows from a trial."""
        if trial.trouble is not None:
            return replace(self.proof(ProofResult.UNPROVEN, trial.trouble), passed_on=trial.passed_on)
        words = trial.change.words
        if self._stayed(trial):
            return self.proof(
                ProofResult.UNPROVEN, f"{words}, and request {self.targets[-1]} stayed the same: {NO_ROOM}"
            )
        ways = {seen.difference for seen in trial.seen.values()}
        for how, what in ((Difference.NUMBERS, "numbers"), (Difference.VALUES, "quoted values")):
            if how in ways:
                proof = self.proof(ProofResult.UNPROVEN, f"{words}, and only {what} changed in the next request")
                return replace(proof, undecided=True)
        return self.proof(ProofResult.UNPROVEN, f"{words}, {ENDED}")


def _takes_away(change: Change) -> bool:
    """Return whether a change brings nothing new: the app has one finding less to tell of, and no other."""
    return isinstance(change, Repaired) and not change.reveals


def _tell(same: Sequence[Change], more: Callable[[], bool]) -> bool:
    """Return whether requests that stayed the same tell of a loss: one after a repair, or those after swaps.

    One swap may share its words with the finding ("must be a string" stands within "must be a string or a number"),
    so a second one is made where there are `more`. An app may name the place alone, or the rule alone.
    """
    if any(isinstance(change, Repaired) for change in same):
        return True
    swapped = [c for c in same if isinstance(c, Swapped)]
    covers = any(c.elsewhere for c in swapped) and any(c.unlike for c in swapped)
    return covers and (len(swapped) > 1 or not more())
