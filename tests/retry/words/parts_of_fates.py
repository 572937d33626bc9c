"""When enough is carried, and what is not held against an app that reads an answer in its own way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

from pytest_planguard.contract.contract import Contract
from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding
from pytest_planguard.contract.verdict import Verdict
from pytest_planguard.retry.linking.delta import Delta, Piece
from pytest_planguard.retry.matching.app_reading import as_app_reads
from pytest_planguard.retry.matching.carried import carried, read
from pytest_planguard.retry.matching.required import enough, holds, may_be_enough, required
from pytest_planguard.retry.results import Attempt, Carried, Grade
from pytest_planguard.wire.exchange import Exchange, Role

from .fits import PARTY
from .parts_of_places import SIZE, said_in

COVERAGES: tuple[Literal["all", "first", "any"], ...] = ("all", "first", "any")


def enough_is_carried() -> Iterator[str]:
    """Yield which findings a retry must carry, and when it carries enough of them."""
    kinds = (
        FailureKind.DUPLICATE_KEY,
        FailureKind.NON_FINITE,
        FailureKind.FENCE,
        FailureKind.TYPE,
        FailureKind.CONTENT,
    )
    findings = [Finding(kind.value, (), "x", kind) for kind in kinds]
    findings.append(Finding("type", (), "x", FailureKind.TYPE, validator_code="int_type"))
    findings.append(Finding("nan", (), "x", FailureKind.NON_FINITE, validator_code="finite_number"))
    for low in range(len(findings)):
        for high in range(low + 1, len(findings) + 1):
            some = findings[low:high]
            yield f"{_codes(some)}: {_codes(required(some))} {_codes(required(some, 'contract'))}"
    yield f"of none: {required(())} {required((), 'contract')}"
    for weakest in (Grade.PROVEN, Grade.VERBATIM, Grade.LOCATED, Grade.WEAK):
        yield f"{weakest.value}: {[grade.value for grade in Grade if holds(Carried(SIZE, 1, grade), weakest)]}"
        for grades in (
            (),
            (Grade.WEAK, Grade.LOST),
            (Grade.LOST, Grade.WEAK),
            (Grade.UNREAD, Grade.WEAK),
            (Grade.UNREAD,),
        ):
            fates = [Carried(SIZE, 1, grade) for grade in grades]
            for how in COVERAGES:
                sums = f"{enough(fates, how, weakest)}, perhaps {may_be_enough(fates, how, weakest)}"
                yield f"  {[grade.value for grade in grades]} {how}: {sums}"


def _codes(findings: Sequence[Finding]) -> list[str]:
    return [one.validator_code or one.code for one in findings]


CONVERTED = (
    *(
        '"true"',
        '"False"',
        '"YES"',
        '"no"',
        '"on"',
        '"off"',
        "1",
        "0",
        '"1"',
        "2",
        '"maybe"',
        "true",
        '"5"',
        '"5.5"',
        "5.5",
    ),
    *('"x"', '""', "null", '"1e3"', '"nan"', '"inf"'),
)


def what_apps_read() -> Iterator[str]:
    """Yield what is not held against an app that converts values, or parses the whole answer."""
    for expected in ("true or false", "an integer", "a number", "a text"):
        for actual in CONVERTED:
            wrong = Finding("type", ("n",), "x", FailureKind.TYPE, expected=expected, actual=actual)
            other = Finding("enum", ("kind",), "not allowed", FailureKind.ENUM, allowed=("a", "b"))
            grades = [fate.grade.value for fate in _read_by_app([wrong, other], "kind: use a or b")[0].carried]
            yield f"{expected}, {actual}: {', '.join(grades)}"


def answers_read_whole() -> Iterator[str]:
    """Yield what an app that parses the whole answer may not know of: the fields of a document within other words."""
    bad = '{"guests": [], "nights": 40}'
    answers = (
        bad,
        f"Sorry! {bad}",
        f"```json\n{bad}\n```",
        f"<think>well</think>{bad}",
        f"{bad} Bye.",
        "Sorry!",
        f"[{bad}",
    )
    errors = ("line 1 column 1 (char 0)", "line 1 column 29", "line 9 column 9", "char 0")
    for answer in (
        *answers,
        f"\n\nSorry! {bad}",
        '{"nights": 3, "guests": [1, 2]} ok',
        f"{bad} B".ljust(100_000, "y"),
        f"{bad} B".ljust(100_001, "y"),
    ):
        verdict = Contract(PARTY).check(answer)
        for words in (
            "Expecting value: {}",
            "Extra data: {}",
            "invalid JSON",
            "{}",
            "nights: odd\nUnexpected token: {}",
        ):
            for error in errors if "{}" in words else ("",):
                reading = said_in(words.replace("{}", error))
                fates = carried(verdict.errors, reading, attempt=1, data=verdict.data)
                attempt = Attempt(1, Exchange(1, "test"), verdict, fates)
                (read_so,) = as_app_reads([attempt], [reading])
                excused = [(fate.finding.code, fate.reason) for fate in read_so.carried if fate not in fates]
                if excused:
                    yield f"{answer.strip()[:50]!r} {len(answer)} {words.replace('{}', error)!r}: {excused}"


def _read_by_app(findings: list[Finding], text: str) -> list[Attempt]:
    reading = read([Delta(2, (Piece(text, 4, Role.USER),), turn=True)])
    verdict: Verdict[Any] = Verdict("Answer", "{}", tuple(findings), data={})
    fates = carried(findings, reading, attempt=1, data={})
    return as_app_reads([Attempt(1, Exchange(1, "test"), verdict, fates)], [reading], partial=True)
