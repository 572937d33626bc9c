"""The mutation matrix: every case under every mutation, with and without known framework wordings."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from pytest_planguard.contract.contract import Contract
from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding
from pytest_planguard.contract.verdict import Verdict
from pytest_planguard.replay.files.reader import read_cassette
from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.retry.judging.judging_options import JudgeOptions
from pytest_planguard.retry.judging.required_findings import required
from pytest_planguard.retry.judging.step import StepKind
from pytest_planguard.retry.outcomes import CheckStatus
from pytest_planguard.retry.reading.recognise import recognise
from pytest_planguard.wire.exchange import Exchange, Item, ItemKind, Role

from ...support.conversations import DIALECTS, ERRORS, PLAN, WORDINGS, Error, dialogue, injected
from .mutations import MUTATIONS, Spoiled, with_feedback
from .rewordings import REWORDINGS

REAL_STALE = "stale, of a real answer"
CUT_OFF = "at the token limit"
"""In the messages of truncated answers, those that go round in circles among them."""
OLDER = '{"goal": "v2", "tasks": [{"id": 1, "status": "Draft", "owner": "Ada"}]}'
"""An answer to PLAN whose errors are none of those of BAD."""


@dataclass(frozen=True, eq=False)
class Case:
    """One retry whose feedback is there; equal to nothing but itself."""

    name: str
    exchanges: tuple[Exchange, ...]
    child: int
    """0-based position of the retry."""
    contract: Any
    errors: tuple[Error, ...]
    """What the retry must feed back, as pydantic would say it."""
    word: Callable[[Sequence[Error]], str]
    older: tuple[Error, ...] = ()
    """Errors of an earlier answer; () where there is none."""


@cache
def mutants(case: Case) -> tuple[tuple[str, Spoiled], ...]:
    """Every mutation that makes sense for the case; made once for the tests that judge them in different ways."""
    return tuple(_mutants(case))


def _mutants(case: Case) -> Iterator[tuple[str, Spoiled]]:
    for name, mutate in MUTATIONS.items():
        yield name, mutate(case.exchanges, case.child)
    for name, reword in REWORDINGS.items():
        if name == "only the first" and len(case.errors) < 2:
            continue
        text = case.word(reword(case.errors))
        yield name, Spoiled(with_feedback(case.exchanges, case.child, text), fed_back=False)
    if case.older and not all(_holds(error, case.older) for error in case.errors):
        text = case.word(case.older)
        yield REAL_STALE, Spoiled(with_feedback(case.exchanges, case.child, text), fed_back=False)


def _holds(error: Error, older: Sequence[Error]) -> bool:
    """Return whether what was said of an older answer is true of this error, too.

    Both answers were cut off, or the older words have this message in them.
    """
    path, _, message = error
    before = [words for place, _, words in older if place == path]
    cut = not path and CUT_OFF in message and any(CUT_OFF in words for words in before)
    return cut or any(message in words for words in before)


def noticed(spoiled: Spoiled, case: Case, *, known_wordings: bool = True) -> bool:
    """Whether the judgement reports missing feedback."""
    return result(spoiled, case, known_wordings=known_wordings) == "missing"


def result(spoiled: Spoiled, case: Case, *, known_wordings: bool = True) -> str:
    """Return what the judgement says of the retry: "missing", "unclear" or "feedback"."""
    options = JudgeOptions(max_attempts=9, known_wordings=known_wordings)
    found = judge(spoiled.exchanges, [case.contract], options=options)
    said = {c.check("feedback").status for c in found.conversations}
    return "missing" if CheckStatus.FAIL in said else "unclear" if CheckStatus.WARN in said else "feedback"


def lookalikes() -> Iterator[Case]:
    """Both placements in three dialects in every wording."""
    older = tuple(_error(f) for f in PLAN.check(OLDER).errors)
    for dialect in DIALECTS:
        for name, word in WORDINGS.items():
            for place in (dialogue, injected):
                exchanges = place(word(ERRORS), dialect=dialect)
                yield Case(f"{dialect}, {place.__name__}, {name}", exchanges, 1, PLAN, ERRORS, word, older)


def bullets(errors: Sequence[Error]) -> str:
    """The plainest wording, for mutants of cassettes."""
    lines = [f"- {'.'.join(map(str, path)) or '(whole answer)'}: {message}" for path, _, message in errors]
    return "\n".join(["That answer was rejected:", *lines])


def local_cases(files: Sequence[Path], contract: Contract) -> Iterator[Case]:
    """Every retry of the recorded loops of the local model."""
    for file in files:
        exchanges = read_cassette(file).exchanges
        older: tuple[Error, ...] = ()
        for child in range(1, len(exchanges)):
            verdict = contract.check(exchanges[child - 1].answer_text, finish=exchanges[child - 1].finish)
            errors = tuple(_error(f) for f in required(verdict.errors, "app"))
            name = f"{file.parent.name}/{file.name}:{child + 1}"
            yield Case(name, exchanges[: child + 1], child, contract, errors, bullets, older)
            older = errors


def _error(finding: Finding) -> Error:
    return finding.path, finding.validator_code or finding.code, finding.validator_message or finding.message


_FINE = Item(ItemKind.TEXT, Role.ASSISTANT, "fine now")


class Named:
    """A contract for one rejected answer: its findings are given, everything else is fine."""

    json_schema = None
    tool = None
    judged = "auto"
    argument = None

    def __init__(self, rejected: str, findings: tuple[Finding, ...]) -> None:
        self.name = "named"
        self._rejected, self._findings = rejected, findings

    def check(self, answer: Any, **_: Any) -> Verdict:
        """The given findings for the rejected answer, none for any other."""
        data = _parsed(answer)
        return Verdict(self.name, answer, self._findings if answer == self._rejected else (), data=data)


def shared_cases(files: Sequence[Path]) -> Iterator[Case]:
    """Every retry of real cassettes, judged by the request's own schema, else by what its feedback names."""
    for file in files:
        exchanges = read_cassette(file).exchanges
        found = judge(exchanges, [])
        for number, (how, kind) in enumerate(zip(found.links, found.kinds, strict=True)):
            if how and kind is StepKind.PROBABLE_RETRY:
                parent = exchanges[how.parent - 1]
                case = _shared(
                    file,
                    (*_root_path(found.links, how.parent - 1, exchanges), exchanges[number]),
                    parent,
                    how.delta.text,
                )
                if case:
                    yield case


def _root_path(links: Any, at: int, exchanges: Sequence[Exchange]) -> tuple[Exchange, ...]:
    path = [exchanges[at]]
    while links[at] is not None:
        at = links[at].parent - 1
        path.insert(0, exchanges[at])
    return tuple(path)


def _shared(file: Path, path: tuple[Exchange, ...], parent: Exchange, feedback: str) -> Case | None:
    accepted = replace(parent.calls[0], call_id="accepted", text="{}") if parent.calls else _FINE
    path = (*path[:-1], replace(path[-1], answer=(accepted,)))
    path = tuple(replace(e, number=n) for n, e in enumerate(path, 1))
    text = parent.calls[0].text if parent.calls else parent.answer_text
    findings = _by_schema(parent) or _by_feedback(feedback)
    if not findings or not text:
        return None
    contract: Any = Named(text, findings)
    if parent.calls:
        contract.tool = parent.calls[0].name
    errors = tuple(_error(f) for f in required(findings, "app"))
    return Case(f"{file.name}:{len(path)}", path, len(path) - 1, contract, errors, bullets)


def _by_schema(parent: Exchange) -> tuple[Finding, ...]:
    for call in parent.calls[:1]:
        schema = parent.tools.get(call.name or "")
        return Contract(dict(schema)).check(call.text).errors if schema else ()
    schema = parent.output_schema
    return Contract(dict(schema)).check(parent.answer_text).errors if schema else ()


def _by_feedback(feedback: str) -> tuple[Finding, ...]:
    """The located, coded errors that the original feedback names: a measure for mutants only."""
    found = {}
    for entry in recognise(feedback, known_wordings=False):
        if entry.code and entry.path is not None:
            path = tuple(int(s) if s.isdecimal() else s for s in entry.path)
            found[path] = Finding(entry.code, path, entry.message, FailureKind.RULE, validator_code=entry.code)
    return tuple(found.values())


def _parsed(text: Any) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None
