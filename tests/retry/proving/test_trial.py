"""The changed answers of a finding, and what is seen of the requests after them."""

from __future__ import annotations

import json
from collections.abc import Iterator

from pytest_planguard import Contract
from pytest_planguard.retry.proving.repair import Repaired, repair
from pytest_planguard.retry.proving.request_diff import Difference
from pytest_planguard.retry.proving.swap import Swapped, swaps
from pytest_planguard.retry.proving.trial import Changes, Request, Seen, seen

from .laboratory import experiment

TICKET = Contract(
    {
        "type": "object",
        "properties": {"title": {"type": "string"}, "hours": {"type": "integer"}},
        "required": ["title", "hours"],
    }
)
BAD, GOOD = '{"title": "灯", "hours": "two"}', '{"title": "灯", "hours": 2}'


def test_no_change_is_made_before_it_is_tried() -> None:
    """Each costs checks of the answer."""
    verdict = TICKET.check(BAD)
    (finding,) = verdict.errors
    repaired = repair(finding, verdict, TICKET, [json.loads(GOOD)])
    made: list[Swapped] = []

    def making() -> Iterator[Swapped]:
        for change in swaps(finding, verdict, TICKET, repaired=repaired):
            made.append(change)
            yield change

    changes = Changes(making())
    for asked, so_far in ((0, 1), (0, 1), (1, 2), (0, 2), (1, 2)):
        found = changes.at(asked)
        assert found is made[asked]
        assert len(made) == so_far
    assert list(changes.up_to(2)) == made[:2]
    assert list(changes) == made
    assert changes.at(len(made)) is None


def test_a_request_in_json_is_shown_as_it_was_written() -> None:
    """With its own letters, not as escapes."""
    for sent in ('{"原因": "再来一次"}', '["再来一次"]'):
        for written in (sent, json.dumps(json.loads(sent))):
            (proof,) = experiment(TICKET, [BAD, GOOD], lambda answer, said=written: said if answer != GOOD else None)
            assert proof.result.value == "missing"
            assert f'It ends with "{sent}"' in proof.reason


def test_a_request_is_seen_without_the_answer() -> None:
    """A space stands where it was; a number that may be the finding's place is no count."""
    verdict = TICKET.check(BAD)
    (finding,) = verdict.errors
    repaired = repair(finding, verdict, TICKET, [json.loads(GOOD)])
    assert isinstance(repaired, Repaired)

    def looked_at(places: tuple[int, ...]) -> Seen:
        before, now = f"See row 7, of {BAD}.", f"See row 6, of {GOOD}."
        return seen(Request(before, [before]), Request(now, [now]), repaired, BAD, str, places)

    texts = (("See row 7, of  .",), ("See row 6, of  .",))
    assert looked_at((6, 7)) == Seen(Difference.NUMBERS, *texts, "See row 7, of  .")
    assert looked_at(()) == Seen(Difference.COUNT, *texts)
