"""The digest of a contract: pinned, since files that people keep name contracts by it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from pytest_planguard import Contract, called, custom, min_length, one_of
from pytest_planguard.contract.constraints.constraint import ContentConstraint

from ..support.one_item import in_one_item

SCHEMA = {"type": "object", "title": "Ticket", "properties": {"tags": {"type": "array"}, "title": {}}}


def agrees(data: Any, document: Any) -> list[Any]:
    """Find nothing."""
    return []


class Rule:
    """A rule that is no function."""

    def __call__(self, data: Any, document: Any) -> list[Any]:
        """Find nothing."""
        return agrees(data, document)


OTHERS: dict[str, dict[str, Any]] = {
    "nothing": {},
    "a constraint": {"constraints": [min_length("title", 3)]},
    "a constraint with another bound": {"constraints": [min_length("title", 4)]},
    "a graver constraint": {"constraints": [min_length("title", 3, severity="fail")]},
    "a constraint on another field": {"constraints": [min_length("tags", 3)]},
    "values": {"constraints": [one_of("title", "a", 1, None)]},
    "own checks": {"constraints": [custom("title", str.isupper), custom("title", partial(agrees, 1))]},
    "a set": {"constraints": [ContentConstraint("title", "one_of", {"values": [{"b", "a"}]})]},
    "rules": {"rules": [agrees, partial(agrees, None), Rule()]},
    "a format": {"format": "yaml"},
    "strict": {"strict": True},
    "the whole answer": {"extract": "whole"},
    "a part": {"judged": "save", "argument": "content"},
    "descriptions": {"describe": True},
    "a bare list": {"wrap_list": True},
    "calls": {"calls": ["Read", called("Bash", "make")]},
}
DIGESTS = {
    "nothing": "a0be8297161b",
    "a constraint": "b363fc64d8a0",
    "a constraint with another bound": "01f6071b9348",
    "a graver constraint": "23690d60a4f8",
    "a constraint on another field": "75bc76a2673e",
    "values": "b2c5039e65f9",
    "own checks": "b6117044c532",
    "a set": "660f8fbfbfb4",
    "rules": "9e15645defd9",
    "a format": "b2f3afd52297",
    "strict": "803f2e7f1f9e",
    "the whole answer": "eebde14eff28",
    "a part": "882411f66c00",
    "descriptions": "6f9563286c0b",
    "a bare list": "b1a3ebfcae1a",
    "calls": "a144f6200535",
}


@in_one_item
@pytest.mark.parametrize("name", OTHERS)
def test_a_digest_is_as_it_always_was(name: str) -> None:
    """A change of it would part what is kept from the contract that it is about."""
    assert Contract(SCHEMA, **OTHERS[name]).digest == DIGESTS[name]


def test_digests_differ_where_contracts_do() -> None:
    """Each of these demands something else."""
    assert len(set(DIGESTS.values())) == len(OTHERS) == len(DIGESTS)


@pytest.mark.parametrize(
    ("make", "digest"),
    [
        (lambda: Contract(None), "5832670b7897"),
        (lambda: Contract(list[int]), "925e4574a6d6"),
    ],
)
def test_a_schema_of_another_sort_has_one_too(make: Callable[[], Contract[Any]], digest: str) -> None:
    """None, and a type."""
    assert make().digest == digest


def test_names_orders_and_defaults_do_not_count() -> None:
    """The same demands have the same digest, however they are written."""
    turned: dict[str, Any] = dict(reversed(SCHEMA.items()))
    spelt = Contract(
        turned,
        constraints=[],
        rules=(),
        format="auto",
        strict=False,
        name="other",
        extract="embedded",
        judged="auto",
        argument=None,
        describe=False,
        calls=(),
        wrap_list=False,
    )
    assert spelt.digest == Contract(SCHEMA).digest == DIGESTS["nothing"]


def test_another_extract_has_another_digest() -> None:
    """Also where the first one was asked for before; the first contract stays as it was."""
    first = Contract(SCHEMA)
    assert first.digest == DIGESTS["nothing"]
    whole = first.with_extract("whole")
    assert (whole.digest, whole.extract, first.extract) == (DIGESTS["the whole answer"], "whole", "embedded")
    assert first.check('x {"title": 1}').ok
    assert not whole.check('x {"title": 1}').ok
