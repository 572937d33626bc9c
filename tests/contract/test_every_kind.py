"""Every documented failure kind is given to some answer."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from pytest_planguard.contract.constraints.builders import distinct
from pytest_planguard.contract.contract import Contract
from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.document.limits import MAX_SIZE
from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.wire.exchange import Exchange, Item, ItemKind, Role


def _even(value: int) -> int:
    if value % 2:
        raise ValueError("odd")
    return value


class Note(BaseModel):
    model_config = ConfigDict(extra="forbid")
    text: str = Field("ok", min_length=2)
    count: Annotated[int, Field(ge=0), AfterValidator(_even)] = 0
    level: Literal["low", "high"] = "low"
    code: str = Field("AB", pattern="^[A-Z]+$")
    items: list[str] = []


class Needs(BaseModel):
    text: str
    count: int


NOTE, WHOLE = Contract(Note), Contract(Note, extract="whole")
CONTENT = Contract(Note, constraints=[distinct("items")])
ANSWERS: list[tuple[FailureKind, Contract, Any, str | None]] = [
    (FailureKind.EMPTY, NOTE, " ", None),
    (FailureKind.REFUSAL, NOTE, "", "content_filter"),
    (FailureKind.ASK_BACK, NOTE, "Which note do you mean?", None),
    (FailureKind.TRUNCATED, NOTE, '{"text": "a', "length"),
    (FailureKind.INVALID_JSON, NOTE, '{"text": "ab",}', None),
    (FailureKind.INVALID_YAML, Contract(Note, format="yaml"), "text: [ab\ncount: 2\n", None),
    (FailureKind.PROSE, NOTE, "Here is my plan:\n\n- do this\n- do that\n", None),
    (FailureKind.FENCE, WHOLE, '```json\n{"text": "ab"}\n```', None),
    (FailureKind.THINKING, WHOLE, '<think>so</think>{"text": "ab"}', None),
    (FailureKind.MULTIPLE, NOTE, '{"text": "ab"}\n{"text": "cd"}', None),
    (FailureKind.DUPLICATE_KEY, NOTE, '{"text": "ab", "text": "cd"}', None),
    (FailureKind.NON_FINITE, NOTE, '{"count": NaN}', None),
    (FailureKind.TOO_DEEP, NOTE, "[" * 5_000 + "]" * 5_000, None),
    (FailureKind.TOO_LARGE, NOTE, " " * (MAX_SIZE + 1), None),
    (FailureKind.ENCODING, NOTE, b'{"text": "\xff"}', None),
    (FailureKind.LOOP, NOTE, '{"text": "' + "the same words " * 100, "length"),
    (FailureKind.SCHEMA_ECHO, NOTE, Note.model_json_schema(), None),
    (FailureKind.WRAPPED, Contract(Needs), '{"note": {"text": "ab", "count": 2}}', None),
    (FailureKind.ENCODED, NOTE, '"{\\"text\\": \\"ab\\"}"', None),
    (FailureKind.MISSING, Contract(Needs), '{"text": "ab", "size": 2}', None),
    (FailureKind.EXTRA, NOTE, '{"size": 2}', None),
    (FailureKind.TYPE, NOTE, '{"count": "two"}', None),
    (FailureKind.ENUM, NOTE, '{"level": "mid"}', None),
    (FailureKind.RANGE, NOTE, '{"count": -2}', None),
    (FailureKind.LENGTH, NOTE, '{"text": "a"}', None),
    (FailureKind.FORMAT, NOTE, '{"code": "ab"}', None),
    (FailureKind.RULE, NOTE, '{"count": 3}', None),
    (FailureKind.CONTENT, CONTENT, '{"items": ["a", "a"]}', None),
]
"""Kind, contract, answer and why it ended. The other kinds are about calls, and about requests without an answer."""


def test_every_kind_is_given_to_an_answer() -> None:
    """The first bad finding of each answer has the kind that it stands for."""
    assert {kind: contract.check(answer, finish=finish).kind for kind, contract, answer, finish in ANSWERS} == {
        kind: kind for kind, *_ in ANSWERS
    }


def test_the_kinds_are_all_there_are() -> None:
    """With those of calls and of failed requests these are all that are documented."""
    text = Item(ItemKind.TEXT, Role.ASSISTANT, "No idea")
    asked = Exchange(1, "openai.chat", answer=(text,), tools={"note": {}})
    (found,) = judge([asked], [NOTE]).conversations
    called = {finding.kind for finding in found.attempts[0].verdict.errors}
    failed = [Exchange(n, "openai.chat", status=status, error="no") for n, status in ((1, 401), (2, 503))]
    unanswered = set(judge(failed, [NOTE]).unanswered.values())
    given = {kind for kind, *_ in ANSWERS} | called | unanswered
    assert set(FailureKind) - given == {FailureKind.UNKNOWN_TOOL}  # see tests/retry/judging/test_request_contracts.py
