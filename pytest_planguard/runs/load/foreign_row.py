"""What rows from the result files of other tools have in common."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...contract.failure_kinds import FailureKind
from ...contract.finding import Finding
from ..model.foreign_fields import count, number
from ..model.judged_answers import AttemptRow, Judged
from .load_answers import judged_answer, text_of

if TYPE_CHECKING:
    from ...contract import Contract


def judged_foreign(
    output: Any, wrong: Sequence[Finding], ok: bool, tool: str, contracts: Sequence[Contract], tokens: dict[str, Any]
) -> Judged:
    """An answer with the verdict of the tool that judged it, or with that of the contract where one is named."""
    text = text_of(output)
    if contracts:
        return judged_answer(text, contracts)
    kind = wrong[0].kind.value if wrong else None
    used = (count(tokens, "prompt"), count(tokens, "completion"))
    attempt = AttemptRow(text, ok, kind, tuple(wrong), None, None, *used)
    return Judged((attempt,), "valid" if ok else "invalid", ok, contract=tool, single=True)


def foreign_finding(code: str, reason: Any) -> Finding:
    """What another tool found, about the answer as a whole."""
    return Finding(code, (), str(reason) if reason else "does not hold", FailureKind.CONTENT)


def object_of(data: Mapping[str, Any], name: str) -> dict[str, Any]:
    """A field that is an object; {} where it is none."""
    value = data.get(name)
    return value if isinstance(value, dict) else {}


def objects_of(data: Mapping[str, Any], name: str) -> Iterator[dict[str, Any]]:
    """The objects of a field that is a list; none where it is none."""
    return (item for item in listed_of(data, name) if isinstance(item, dict))


def listed_of(data: Mapping[str, Any], name: str) -> list[Any]:
    """A field that is a list; [] where it is none."""
    value = data.get(name)
    return value if isinstance(value, list) else []


def numbers_of(data: dict[str, Any]) -> dict[str, float]:
    """The fields of an object that are numbers."""
    return {name: value for name in data if (value := number(data, name)) is not None}
