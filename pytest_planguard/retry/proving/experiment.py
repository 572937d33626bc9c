"""One finding to test: the changed answers for the app, and the conclusion from the requests that it then sends."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ...document.path import to_dotted
from ..proof import Proof, ProofResult
from ..reading.entry import clip
from .attribution import ends_at_limit, entry_around, lines_above, new_turns, unwrapped, words_that_go
from .bounds import items_spelled, positions_in, spells_place
from .meaning import ELSEWHERE, Meaning, Reading, saying
from .moved_fault import Item, Moved, item_in, strays
from .repair import Repaired, read_as_contract
from .request_diff import Difference
from .sentences import bullets_of
from .swap import Swapped
from .trial import Change, Changes, Trial, places_of

if TYPE_CHECKING:
    from ...contract.finding import Finding


@dataclass(frozen=True, slots=True)
class Evidence:
    """The results of the runs for one finding."""

    change: Difference
    """The words that disappear from the next request together with the finding."""
    meaning: Meaning = Meaning.NOTHING
    """The meaning of these words."""
    item: Item | None = None
    """How the words changed when the same fault was at another item; None if this was not tried, or is not needed."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table."""

    holds: Callable[[Evidence], bool]
    result: ProofResult
    example: str
    """An app's words about `nights` = 90, allowed from 1 to 28; in rows about items, about `guests[1].age` = 410."""


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
"""The first matching row decides."""


def decide(evidence: Evidence) -> ProofResult:
    """Return the conclusion from the evidence."""
    return next(row.result for row in TABLE if row.holds(evidence))


ENDED = "and the app ended before it asked again"
ALL_SAID = "still contained all of it"
SHOWN = 120
"""Maximum number of characters of the disappeared words that a reason shows."""
SHOWN_END = 80
"""Maximum number of characters of a request's last text that a reason shows: "Please try again."."""
RAN_AGAIN = "planguard changed the answer and ran the app again"
_ITEMS = 100
"""Maximum number of items of a list whose numbers are searched in words."""
NO_ROOM = "planguard found no other error to put into the answer"


@dataclass(frozen=True, slots=True)
class Experiment:
    """One finding of one answer, and the changed answers that can show if it was fed back."""

    conversation: str
    attempt: int
    exchange: int
    """The exchange whose answer is changed, 1-based."""
    finding: Finding
    changes: Changes
    """The changed answers, at least one. They are tried in order until one removes words."""
    answer: str
    """The recorded answer."""
    contract: Any
    targets: tuple[int, ...]
    """The exchanges whose requests react to it, in order: tool steps, then the next attempt."""
    later: frozenset[int] = frozenset()
    """The later exchanges of the conversation."""
    others: frozenset[int] = frozenset()
    """The retries of other conversations."""
    moved: Moved | None = None
    """The same fault at another item, if the place of the finding has one. Tried if the words don't spell out their
    item."""
    names: frozenset[str] = frozenset()
    """The property names of the contract's schema."""

    @property
    def places(self) -> set[int]:
        """The numbers by which words may name the finding's place."""
        return places_of(self.finding, self.answer)

    def proof(self, result: ProofResult, reason: str) -> Proof:
        """Return the proof with this result."""
        return Proof(self.conversation, self.attempt, self.exchange, self.finding, result, reason)

    def unreached(self, reason: str) -> Proof:
        """Return a proof that no rerun reached the retry."""
        return replace(self.proof(ProofResult.UNPROVEN, reason), unreached=True)

    def tried(self, run: Callable[[Change], Trial]) -> Proof:
        """Return the conclusion after as many changed answers as it takes; `run` gives the app one of them."""
        trials = [run(self.change_after(()))]
        while (proof := self.concluded(trials)) is None:
            trials.append(run(self.change_after(trials)))
        return proof

    def change_after(self, trials: Sequence[Trial]) -> Change:
        """Return the answer to try next, after `concluded` has returned None."""
        tried = [t for t in trials if not isinstance(t.change, Moved)]
        if self.moved is not None and len(tried) == len(trials) and self._telling(trials) is not None:
            return self.moved
        following = self.changes.at(len(tried))
        if following is None:
            raise IndexError(f"no answer is left to try after {len(trials)}")
        return following

    def concluded(self, trials: Sequence[Trial]) -> Proof | None:
        """Return the conclusion from the trials so far, in order; None if one more is needed.

        The first trial that removed words, or a count, is read. Trials before it that changed nothing may also decide.
        """
        telling = self._telling(trials)
        if telling is not None:
            return self._read(telling, trials)
        same = [t for t in trials if self._stayed(t)]

        def more() -> bool:
            return self.changes.at(len(trials)) is not None

        if _tell([t.change for t in same], more):
            return self._missing(same[-1], "stayed the same" if _takes_away(same[-1].change) else ALL_SAID)
        return None if trials[-1].trouble is None and more() else self._unproven(trials[0])

    def _telling(self, trials: Sequence[Trial]) -> tuple[Trial, int] | None:
        """Return the trial to read, and the number of the request that lost words in it."""
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
        """Return the conclusion from the disappeared words; None if the same fault at another item must be tried."""
        trial, number = telling
        seen = trial.seen[number]
        if seen.difference is Difference.COUNT:
            return self._missing(trial, "differs only in a count")
        words = unwrapped(seen.gone, self.names)
        turns = new_turns(seen.before, seen.now)  # a JSON Schema in the prompt may hold the same words first
        above, entry = lines_above(words, turns), entry_around(words, turns)
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
        following = self.changes.at(sum(not isinstance(t.change, Moved) for t in trials))
        if found.more and trials[-1].trouble is None and following is not None:
            return None
        result = decide(Evidence(seen.difference, found.meaning, item))
        proof = replace(
            self.proof(result, self._reason(result, trial, number, found)), undecided=result is ProofResult.UNPROVEN
        )
        before, left = (seen.before, seen.now) if _takes_away(change) else ((), ())
        return replace(proof, said=seen.gone, before=before, left=left)

    def _instead(self, trials: Sequence[Trial], number: int) -> Iterator[str]:
        """Yield a request's words about each fault that was planted at the finding's place."""
        for trial in trials:
            if isinstance(trial.change, Swapped) and number in trial.seen:
                seen = trial.seen[number]
                positions = self.places | places_of(trial.change.other, trial.change.text)
                yield words_that_go(seen.now, seen.before, cuts=False, positions=positions)

    def _item(self, there: Trial, telling: Trial, number: int) -> Item | None:
        """Return how the words name the item; None if the app did not get that far, or does not mention the other item.

        Both requests are compared with the one without the fault, so the order of the reported faults does not matter.
        """
        seen, other = telling.seen[number], there.seen.get(number)
        if other is None or (moved := self.moved) is None:
            return None
        cuts = _takes_away(telling.change)
        # A number of any other item is not a count either: an app that names the wrong one of three may name the third.
        positions = {*moved.numbers, *range(min(moved.items, _ITEMS) + 1)}
        bullets = bullets_of(seen.before) != bullets_of(other.now)  # equally many errors have the same bullets
        data = read_as_contract(self.answer, self.contract).data

        gone, elsewhere = (
            words_that_go(one, seen.now, cuts=cuts, positions=positions, bullets=bullets)
            for one in (seen.before, other.now)
        )
        numbers = positions_in(self.finding, gone, data), items_spelled(self.finding, gone)
        found = item_in(gone, elsewhere, moved, *numbers)
        # An error planted in the same item may be below the same heading, which then stays.
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
        """Return True if the retry was sent."""
        return trial.trouble is None and self.targets[-1] in trial.seen

    def _stayed(self, trial: Trial) -> bool:
        """Return True if the retry was sent and says the same, apart from counts and repetitions."""
        ways = {seen.difference for seen in trial.seen.values()}
        return self._arrived(trial) and ways <= {Difference.NONE, Difference.COUNT}

    def _missing(self, trial: Trial, how: str) -> Proof:
        number = self.targets[-1]
        texts = [text for text in trial.seen[number].before if text.strip()]
        ends = f'. It ends with "{clip(texts[-1], SHOWN_END)}"' if texts else ""
        done = f"{RAN_AGAIN}: {trial.change.words}, and request {number} {how}{ends}"
        return self.proof(ProofResult.MISSING, done)

    def _unproven(self, trial: Trial) -> Proof:
        """Return the proof that says why a trial shows nothing."""
        if trial.trouble is not None:
            return replace(self.unreached(trial.trouble), passed_on=trial.passed_on)
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
        return self.unreached(f"{words}, {ENDED}")


def _takes_away(change: Change) -> bool:
    """Return True if a change adds nothing new, so that the app only has one finding less to report."""
    return isinstance(change, Repaired) and not change.reveals


def _tell(same: Sequence[Change], more: Callable[[], bool]) -> bool:
    """Return True if unchanged requests show a loss: one request after a repair, or all of them after swaps.

    One swap may share its words with the finding ("must be a string" is part of "must be a string or a number"), so a
    second one follows if there are `more`. An app may name only the place, or only the rule.
    """
    if any(isinstance(change, Repaired) for change in same):
        return True
    swapped = [c for c in same if isinstance(c, Swapped)]
    covers = any(c.elsewhere for c in swapped) and any(c.unlike for c in swapped)
    return covers and (len(swapped) > 1 or not more())
