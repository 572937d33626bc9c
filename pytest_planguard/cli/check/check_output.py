"""What `planguard check` prints: text for a person, or one JSON document for a program."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from ...contract.finding import Severity, finding_data
from ...document.path import to_dotted
from ...printable import one_line
from ...report.answer.answer_data import check_data, fed_back_data
from ...report.answer.conversation import failure_reason, render_conversation
from ...report.answer.finding_text import count, render_verdict
from ...report.answer.plan_text import render_plan
from ...report.media.escaping import without_log_commands
from ...report.media.text_table import Style
from ...retry.outcomes import CheckStatus
from ..inputs.kept_proofs import beside
from ..inputs.sources import STDIN
from ..main import UNJUDGED
from .known import known_lines, known_values
from .summary import render_summary, summary_values

if TYPE_CHECKING:
    from ...contract.finding import Finding, Related
    from ...plans.judging.judge_files import PlanReport
    from ...retry.results import Convergence, FedBack
    from ..inputs.answer_stream import JudgedLines
    from ..inputs.answers import CheckedAnswer
    from ..inputs.kept_proofs import ShownProof
    from .judge_file import FileReport
    from .tally import Tally

QUIET, NORMAL, VERBOSE = 0, 1, 2
PROOFS_SHOWN = 4
"""Findings of one conversation that an experiment has settled, listed one by one; the rest is counted."""
PARTIAL = (
    "Judged by the schemas in the requests only: rules that the app adds (validators, content constraints) are not\n"
    "judged. Name your contract with --contract module:NAME for those."
)

PLAIN = Style()
NOTHING = (
    "Nothing was judged. Cassettes are judged as they are, answers by a contract (--contract module:NAME or\n"
    "file.py:NAME), and plans by the format that their content shows or that --rules FORMAT names."
)


class Output(Protocol):
    """Takes the reports of files and gives the text to print."""

    commands: bool
    """Whether the text is made of commands to a build log."""

    def add(self, report: FileReport) -> None:
        """Take one file's report."""
        ...

    def end(self, tally: Tally) -> str:
        """Return the whole text."""
        ...

    def exit_code(self, tally: Tally) -> int:
        """Return the exit code of the command."""
        ...


def exit_code(bad: int, unreadable: int, judged: int) -> int:
    """Return 1 where something is bad, else 3 where something could not be read or nothing was judged, else 0."""
    if bad:
        return 1
    return UNJUDGED if unreadable or not judged else 0


class TextOutput:
    """A line for each bad conversation, each bad answer with its findings in place, the figures."""

    commands = False

    def __init__(self, level: int, specs: Sequence[str], *, partial: bool, color: bool = False) -> None:
        self._level = level
        self._style = Style(color)
        self._partial = partial
        self._specs = specs
        self._lines: list[str] = []
        self._bad_cassettes: list[str] = []

    def add(self, report: FileReport) -> None:
        """Take one file's report."""
        path, style = one_line(str(report.path)), self._style
        error_word = style.bad("error")
        self._lines += [f"{style.strong(path)}: {error_word}: {one_line(error, 600)}" for error in errors_of(report)]
        if self._level == QUIET:
            return
        if report.skipped and self._level == VERBOSE:
            self._lines.append(f"{path}: left out: {report.skipped}")
        self._lines += [f"{path}: note: {one_line(note, 300)}" for note in report.doubts]
        if report.surprise:
            self._lines.append(f"{path}: {report.surprise}")
        for convergence in report.conversations if not report.on_purpose or self._level == VERBOSE else ():
            self._lines += self._conversation(path, convergence, report.proofs)
        self._lines += known_lines(path, report.known, judged_too=self._partial)
        for answer in answers_of(report):
            self._lines += self._answer(path, answer)
        if report.lines is not None and report.lines.unlisted:
            left = f"{report.lines.unlisted:,} more bad answers are not listed"
            self._lines.append(f"{path}: {left}: the list ends after {len(report.lines.listed):,}")
        if report.plan is not None:
            self._lines += plan_lines(path, report.plan, style, everything=self._level == VERBOSE)

    def end(self, tally: Tally) -> str:
        """Return the whole text."""
        parts = ["\n".join(self._lines)] if self._lines else []
        parts.append(render_summary(tally))
        if self._partial and tally.conversations:
            parts.append(PARTIAL)
        if tally.skipped and not (tally.judged or tally.unreadable or tally.cassettes):
            parts.append(NOTHING)
        if self._bad_cassettes and self._level == NORMAL:
            same = "".join(f" -c {one_line(spec)}" for spec in self._specs)
            parts.append(f"Attempt by attempt: planguard show {self._bad_cassettes[0]}{same}")
        return "\n\n".join(parts)

    def exit_code(self, tally: Tally) -> int:
        """Return the exit code of the command."""
        return exit_code(tally.bad, tally.unreadable, tally.judged)

    def _conversation(self, path: str, convergence: Convergence, proofs: Sequence[ShownProof]) -> Iterator[str]:
        if not convergence.ok and (not self._bad_cassettes or self._bad_cassettes[-1] != path):
            self._bad_cassettes.append(path)
        if self._level == VERBOSE:
            yield f"{self._style.strong(path)}:"
            known = beside(proofs, convergence.conversation)
            yield render_conversation(convergence, color=self._style.color, beside=known)
            yield ""
            return
        if not convergence.ok:
            yield conversation_line(path, convergence, self._style)
        yield from proof_lines(path, convergence, proofs)

    def _answer(self, path: str, answer: CheckedAnswer) -> Iterator[str]:
        place = path if path == str(STDIN) else f"{path}{_location(answer)}"
        if not answer.verdict.ok or self._level == VERBOSE:
            yield f"{self._style.strong(place)}: {render_verdict(answer.verdict, color=self._style.color)}"


def _location(answer: CheckedAnswer) -> str:
    """Return ':2' for a line and ':4:9' for a finding in a whole file, as editors open it; "" for a good file."""
    if answer.line is not None:
        return f":{answer.line}"
    placed = (finding for finding in answer.verdict.errors if not finding.inside)
    span = next((finding.span for finding in placed if finding.span is not None), None)
    return f":{span.line}:{span.column}" if span is not None else ""


def answers_of(report: FileReport) -> tuple[CheckedAnswer, ...]:
    """Return the answers of a file that are listed one by one."""
    return report.answers if report.lines is None else tuple(report.lines.listed)


def errors_of(report: FileReport) -> tuple[str, ...]:
    """Return why a file, or lines of it, could not be read; of many lines the first ones and how many more."""
    if report.lines is None:
        return report.errors
    more = report.lines.problem_count - len(report.lines.problems)
    rest = (f"{more:,} more lines have no answer",) if more else ()
    return (*report.errors, *report.lines.problems, *rest)


def conversation_line(path: str, convergence: Convergence, style: Style = PLAIN) -> str:
    """Return one bad conversation on one line: where, how it ended, why it fails, which checks failed."""
    failed = [c.name for c in convergence.checks if c.status is CheckStatus.FAIL]
    reason = failure_reason(convergence)
    if failed and reason.startswith(f"{failed[0]}: "):
        del failed[0]
    checks = f" (failed: {', '.join(failed)})" if failed else ""
    outcome = style.bad(convergence.outcome.value.replace("_", " "))
    name = one_line(convergence.conversation, 60)
    attempts = count(len(convergence.attempts), "attempt")
    return f"{style.strong(path)} [{name}] {outcome}, {attempts}: {reason}{checks}"


def proof_lines(path: str, convergence: Convergence, proofs: Sequence[ShownProof]) -> Iterator[str]:
    """Yield what experiments have shown of findings that reading leaves in doubt, the first of them one by one."""
    of_this = [proof for proof in proofs if proof.finding[0] == convergence.conversation]
    for proof in of_this[:PROOFS_SHOWN]:
        _, attempt, code, place = proof.finding
        yield f"{path}:   attempt {attempt}, {one_line(to_dotted(place), 60)} [{one_line(code, 40)}]: {proof.text}"
    if len(of_this) > PROOFS_SHOWN:
        yield f"{path}:   and {len(of_this) - PROOFS_SHOWN:,} more findings that experiments have settled (-v)"


class ErrorsOutput(TextOutput):
    """The findings of plans as schema errors under one heading a file; everything else as `TextOutput` has it."""

    def add(self, report: FileReport) -> None:
        """Take one file's report."""
        super().add(replace(report, plan=None))
        bad = [finding for finding in report.plan.findings if finding.severity.bad] if report.plan is not None else []
        if bad:
            from ...contract.feedback.command_style import bullet

            self._lines.append(f"{one_line(str(report.path))} schema validation failed:")
            self._lines += [f"- {one_line(bullet(finding), 600)}" for finding in bad]


class JsonOutput:
    """One document: every file with its conversations and answers, then the figures."""

    commands = False

    def __init__(self) -> None:
        self._files: list[dict[str, Any]] = []
        self.gate: dict[str, Any] = {}
        """What a list of known failures says; empty where none was named."""

    def add(self, report: FileReport) -> None:
        """Take one file's report."""
        self._files.append(
            {
                "path": report.path.as_posix(),
                "errors": list(errors_of(report)),
                "skipped": report.skipped,
                "exchanges": report.exchanges,
                **({"doubts": list(report.doubts)} if report.doubts else {}),
                "raw": dict(report.raw),
                "not_judged": dict(report.unjudged),
                **({"on_purpose": True} if report.on_purpose else {}),
                **({"surprise": report.surprise} if report.surprise else {}),
                "conversations": [conversation_values(c, report.proofs) for c in report.conversations],
                "answers": [answer_values(a) for a in answers_of(report)],
                **({} if report.lines is None else line_values(report.lines)),
                "plan": None if report.plan is None else plan_values(report.plan),
                **known_values(report.known),
            }
        )

    def values(self, tally: Tally) -> dict[str, Any]:
        """Return the document as plain values."""
        return {"version": 1, "files": self._files, "summary": summary_values(tally), **self.gate}

    def end(self, tally: Tally) -> str:
        """Return the whole text."""
        # ASCII only: a lone surrogate in an answer stays an escape instead of ending the output in an encoding error.
        text = json.dumps(self.values(tally), indent=1)
        return without_log_commands(text)

    def exit_code(self, tally: Tally) -> int:
        """Return the exit code of the command."""
        return exit_code(tally.bad, tally.unreadable, tally.judged)


def conversation_values(convergence: Convergence, proofs: Iterable[ShownProof] = ()) -> dict[str, Any]:
    """Return a conversation as plain values; a finding that an experiment in a kept run has settled has its `proof`."""
    known = {proof.finding[1:]: proof.data for proof in proofs if proof.finding[0] == convergence.conversation}
    return {
        "conversation": convergence.conversation,
        "contract": convergence.contract,
        "ok": convergence.ok,
        "outcome": convergence.outcome.value,
        "max_attempts": convergence.max_attempts,
        "checks": list(map(check_data, convergence.checks)),
        "attempts": [
            {
                "exchange": attempt.exchange.number,
                "ok": attempt.verdict.ok,
                "findings": list(map(finding_data, attempt.verdict.findings)),
                "fed_back": [_fed_back(fed_back, attempt.number, known) for fed_back in attempt.fed_back],
            }
            for attempt in convergence.attempts
        ],
    }


def _fed_back(fed_back: FedBack, attempt: int, known: Mapping[tuple[Any, ...], dict[str, Any]]) -> dict[str, Any]:
    proof = known.get((attempt, *fed_back.finding.identity))
    return {**fed_back_data(fed_back), **({"proof": proof} if proof else {})}


def answer_values(answer: CheckedAnswer) -> dict[str, Any]:
    """Return an answer as plain values."""
    findings = list(map(finding_data, answer.verdict.findings))
    return {"place": answer.place, "ok": answer.verdict.ok, "findings": findings}


def line_values(lines: JudgedLines) -> dict[str, Any]:
    """Return what a file of lines has beside its listed answers: the field that was read, and all that is counted."""
    counts = {"answers": lines.answers, "ok": lines.good, "bad_not_listed": lines.unlisted}
    return {"field": lines.answer_field, "lines": {**counts, "without_answer": lines.problem_count}}


# A judged plan file in the output of `planguard check`: lines for a person, plain values for a program.


def plan_lines(path: str, report: PlanReport, style: Style, *, everything: bool) -> Iterator[str]:
    """Yield the findings of a plan in their places.

    Nothing where there are only remarks, unless everything is asked for; one line where the plan was read in part.
    """
    if everything or report.in_part or any(finding.severity is not Severity.INFO for finding in report.findings):
        place = style.strong(f"{path}{_first_place(report)}")
        yield f"{place}: {render_plan(report, everything=everything, color=style.color)}"


def _first_place(report: PlanReport) -> str:
    """Return ':4:9', the place of the first finding that is no remark, as editors open it; "" where none has one."""
    weighed = (finding for finding in report.findings if finding.severity is not Severity.INFO)
    span = next((finding.span for finding in weighed if finding.span is not None), None)
    return f":{span.line}:{span.column}" if span is not None else ""


def plan_values(report: PlanReport) -> dict[str, Any]:
    """Return a plan as plain values. `format` is null, and so are the figures, where it could not be read as any."""
    plan = report.plan
    return {
        "ok": report.ok,
        "verdict": report.verdict,
        "format": plan.format if plan else None,
        "title": one_line(plan.title, 200) if plan else None,
        "goal": one_line(plan.goal.name, 500) if plan and plan.goal else None,
        "tasks": len(plan.tasks) if plan else None,
        "dependencies": sum(len(task.edges) for task in plan.tasks) if plan else None,
        "requirements": len(plan.requirements) if plan else None,
        "findings": [_finding(finding) for finding in report.findings],
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {**finding_data(finding), "related": list(map(_related, finding.related))}


def _related(related: Related) -> dict[str, Any]:
    span = related.span
    place = {"line": span.line if span else None, "column": span.column if span else None}
    return {"message": related.message, "path": list(related.path), **place}
