"""Laws of links and fed back, over random conversations."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.retry.judging.judging_options import JudgeOptions
from pytest_planguard.retry.linking.linker import Linker, link
from pytest_planguard.retry.outcomes import CheckStatus
from pytest_planguard.wire.exchange import Exchange, Finish, Item, ItemKind, Role, Usage

from ..support.conversations import BAD, BROKEN, ERRORS, GOOD, PLAN, SYSTEM, WORDINGS, Spoken, Turn, exchange
from ..support.nightly import SLOW

WORDS = st.sampled_from(["Plan the release", "Plan the party", "Plan the garden", "Plan the release\nof version two"])
ANSWERS = st.sampled_from([BAD, BROKEN, GOOD, BAD.replace("pending", "open"), "no", "{}"])
STYLES = st.sampled_from(["dialogue", "windowed", "inject", "blind"])


@st.composite
def conversations(draw: st.DrawFn) -> list[Spoken]:
    """One conversation of one to four attempts in one style."""
    task, style = draw(WORDS), draw(STYLES)
    shots: list[Turn] = [("user", "Plan a picnic"), ("assistant", GOOD)] if draw(st.booleans()) else []
    base: list[Turn] = [("system", SYSTEM), *shots, ("user", task)]
    turns, spoken = list(base), []
    for number, answer in enumerate(draw(st.lists(ANSWERS, min_size=1, max_size=4)), 1):
        spoken.append(Spoken(list(turns), answer, seed=number))
        feedback = f"Attempt {number} failed:\n- goal: Field required"
        if style == "inject":
            turns = [*base[:-1], ("user", f"{task}\n{feedback}")]
        elif style != "blind":
            kept = turns if style == "dialogue" else base
            turns = [*kept, ("assistant", answer), ("user", feedback)]
    return spoken


def parents(exchanges: Sequence[Exchange]) -> dict[int, tuple[int, ...]]:
    """For each linked exchange its number and those of all parents that fit."""
    found = link(exchanges)
    numbers = [e.number for e in exchanges]
    return {
        numbers[f.child - 1]: tuple(numbers[p - 1] for p in (f.parent, *f.ambiguous_with))
        for f in found
        if f is not None
    }


@pytest.mark.slow
@SLOW
@given(st.lists(conversations(), min_size=2, max_size=4, unique_by=lambda c: c[0].turns[-1][1]), st.randoms())
def test_interleaved_links_equal_links_in_isolation(found: list[list[Spoken]], random: object) -> None:
    """Conversations about different tasks are linked in a heap as they are alone, or reported ambiguous."""
    order = [n for n, spoken in enumerate(found) for _ in spoken]
    random.shuffle(order)  # type: ignore[attr-defined]
    waiting, mixed, alone = [iter(s) for s in found], [], [[] for _ in found]
    for number, which in enumerate(order, 1):
        one = exchange(number, next(waiting[which]))
        mixed.append(one)
        alone[which].append(one)
    apart = {child: up for group in alone for child, up in parents(group).items()}
    together = parents(mixed)
    for child in {*apart, *together}:
        same = apart.get(child, ())[:1] == together.get(child, ())[:1]
        assert same or len(together.get(child, ())) > 1, (child, apart.get(child), together.get(child))


@pytest.mark.slow
@SLOW
@given(st.lists(conversations(), min_size=1, max_size=3), st.data())
def test_linking_one_by_one_equals_linking_them_all(found: list[list[Spoken]], data: st.DataObject) -> None:
    """A linker says of each next exchange what `link` says of the last, and asking about others changes nothing."""
    heap = data.draw(st.permutations([spoken for conversation in found for spoken in conversation]))
    exchanges = [exchange(number, spoken) for number, spoken in enumerate(heap, 1)]
    ids = data.draw(st.lists(st.sampled_from([None, "a", "b"]), min_size=len(heap), max_size=len(heap)))
    linker = Linker()
    for number, (one, name) in enumerate(zip(exchanges, ids, strict=True), 1):
        linker.next(data.draw(st.sampled_from(exchanges)), name)
        assert linker.next(one, name) == link(exchanges[:number], ids)[-1]
        linker.add(one, name)
    assert linker.links() == link(exchanges, ids)


@pytest.mark.slow
@given(
    st.sampled_from(sorted(WORDINGS)),
    st.lists(
        st.sampled_from([BAD, BAD.replace("pending", "open"), BAD.replace("two", "three")]), min_size=2, max_size=4
    ),
    st.data(),
)
def test_dropping_or_swapping_any_feedback_flips_carried(wording: str, answers: list[str], data: st.DataObject) -> None:
    """Whole, every retry feeds back; with the feedback of any one attempt dropped or exchanged, that one is missing."""
    at = data.draw(st.integers(1, len(answers) - 1))
    other = data.draw(st.sampled_from(["", "- owner: Field required", "Please try again."]))

    def status(spoiled: int | None) -> CheckStatus:
        turns: list[Turn] = [("system", SYSTEM), ("user", "Plan the release")]
        exchanges = []
        for number, answer in enumerate(answers, 1):
            exchanges.append(exchange(number, Spoken(list(turns), answer, seed=number)))
            text = other if number == spoiled else WORDINGS[wording](ERRORS)
            turns += [("assistant", answer), *([("user", text)] if text else [])]
        found = judge(exchanges, [PLAN], options=JudgeOptions(max_attempts=9)).conversations
        assert len(found) == 1
        return found[0].check("feedback").status

    assert status(None) is CheckStatus.PASS
    assert status(at) is CheckStatus.FAIL


TEXT = st.one_of(st.text(max_size=40), st.sampled_from([BAD, GOOD, BROKEN, "- goal: Field required", ""]))
ITEMS = st.builds(
    Item,
    st.sampled_from(ItemKind),
    st.sampled_from(Role),
    TEXT,
    st.sampled_from([None, "c1", "c2"]),
    st.sampled_from([None, "plan", "Plan"]),
    st.one_of(st.none(), st.dictionaries(st.text(max_size=5), st.integers(), max_size=3), st.integers()),
    st.booleans(),
)
EXCHANGES = st.builds(
    Exchange,
    number=st.integers(1, 5),
    dialect=st.sampled_from(["openai.chat", "raw"]),
    status=st.sampled_from([200, 200, 200, 429, 400]),
    request=st.lists(ITEMS, max_size=5).map(tuple),
    answer=st.lists(ITEMS, max_size=2).map(tuple),
    tools=st.sampled_from([{}, {"plan": {}}, {"Plan": {"properties": {"goal": {}}}}, {"plan": None}]),
    tool_choice=st.sampled_from([None, "plan", "auto"]),
    output_schema=st.sampled_from([None, {}, {"properties": {"goal": {}, "tasks": {}}}, {"properties": {"z": 1}}]),
    previous_id=st.sampled_from([None, "r1", "r2"]),
    response_id=st.sampled_from([None, "r1", "r2"]),
    finish=st.sampled_from([None, *Finish]),
    refusal=st.sampled_from([None, "no"]),
    usage=st.just(Usage()),
    error=st.sampled_from([None, "bad"]),
    rejected_text=st.sampled_from([None, "{"]),
)


@pytest.mark.slow
@given(st.lists(EXCHANGES, max_size=8), st.booleans(), st.integers(0, 2))
def test_judging_never_raises(exchanges: list[Exchange], named: bool, contracts: int) -> None:
    """Whatever stands in the exchanges, there is a judgement, the same each time."""
    ids = [None if n % 2 else "t" for n in range(len(exchanges))] if named else None
    chosen = [PLAN, PLAN][:contracts]
    found = judge(exchanges, chosen, conversation_ids=ids)
    again = judge(exchanges, chosen, conversation_ids=ids)
    assert found.links == again.links
    assert [c.outcome for c in found.conversations] == [c.outcome for c in again.conversations]
    for convergence in found.conversations:
        assert len({c.name for c in convergence.checks}) == len(convergence.checks) == 12
