"""Print the results of `planguard check`: text for a person, or one JSON document for a program."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...contract.finding import Severity, finding_data
from ...document.path import to_dotted
from ...printable import one_line
from ...report.finding_text import named, render_verdict
from ...report.forms.text import render_text
from ...report.page import Lines, Page
from ...report.plain_text import Style, count, without_log_commands
from ...retry.outcomes import CheckStatus
from ...runs.store.kept_proofs import beside
from ..inputs.sources import STDIN
from .log_words import logged_lines
from .tally import summary

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ...contract.finding import Finding
    from ...plans.judging.judge_files import PlanReport
    from ...report.page import Block
    from ...report.page import Verdict as Conclusion
    from ...retry.results import Convergence
    from .file_report import FileReport
    from .tally import Tally

QUIET, NORMAL, VERBOSE = 0, 1, 2
LINE_LIMIT = 240
"""Maximum number of characters of one error in feedback."""
PROOFS_SHOWN = 4
"""Maximum number of findings of one conversation, settled by experiments, to list. The rest are counted."""
PARTIAL = (
    "Judged by the schemas in the requests only: rules that the app adds (validators, content constraints) are not\n"
    "judged. Name your contract with --contract module:NAME for those."
)
NOTHING = (
    "Nothing was judged. Cassettes are judged as they are, answers by a contract (--contract module:NAME or\n"
    "file.py:NAME), and plans by the format that their content shows or that --rules FORMAT names."
)


class Output:
    """Takes the reports of files and returns the text to print."""

    commands = False
    """True if the text consists of commands to a build log."""

    def add(self, report: FileReport) -> None:
        """Add one file's report."""
        raise NotImplementedError

    def end(self, tally: Tally) -> str:
        """Return the whole text."""
        raise NotImplementedError

    def fails(self, tally: Tally) -> bool:
        """Return True if something is bad."""
        return tally.bad > 0


class TextOutput(Output):
    """One line for each bad conversation, the findings of each bad answer in place, and the figures."""

    def __init__(self, level: int, specs: Sequence[str], *, partial: bool, color: bool) -> None:
        self._level, self._style, self._partial, self._specs = level, Style(color), partial, specs
        self._lines: list[str] = []
        self._first_bad = ""

    def add(self, report: FileReport) -> None:
        """Add one file's report."""
        path, style = one_line(str(report.path)), self._style
        error_word = style.bad("error")
        self._lines += [f"{style.strong(path)}: {error_word}: {one_line(error, 600)}" for error in report.all_errors]
        if self._level != QUIET:
            for lines in (self._notes, self._recorded, self._answers, self._plan):
                self._lines += lines(path, report)
            if report.logs is not None:
                self._lines += logged_lines(report.logs, self._style, everything=self._level == VERBOSE)

    def end(self, tally: Tally, gate: Iterable[Block] = (), verdict: Conclusion | None = None) -> str:
        """Return the whole text, with the blocks and the conclusion of a gate."""
        return render_text(Page("", blocks=(*self._blocks(tally), *gate), verdict=verdict), color=self._style.color)

    def _blocks(self, tally: Tally) -> Iterator[Block]:
        yield Lines(tuple(self._lines))
        yield summary(tally)
        if self._partial and tally.conversations:
            yield Lines((PARTIAL,))
        if tally.skipped and not (tally.judged or tally.unreadable or tally.cassettes):
            yield Lines((NOTHING,))
        if self._first_bad and self._level == NORMAL:
            same = "".join(f" -c {one_line(spec)}" for spec in self._specs)
            yield Lines((f"Attempt by attempt: planguard show {self._first_bad}{same}",))

    def _notes(self, path: str, report: FileReport) -> Iterator[str]:
        if report.skipped and self._level == VERBOSE:
            yield f"{path}: left out: {report.skipped}"
        yield from (f"{path}: note: {one_line(note, 300)}" for note in report.doubts)
        if report.surprise:
            yield f"{path}: {report.surprise}"

    def _recorded(self, path: str, report: FileReport) -> Iterator[str]:
        """Yield the lines about a cassette."""
        for convergence in report.conversations if not report.on_purpose or self._level == VERBOSE else ():
            yield from self._conversation(path, convergence, report)
        for retry in (retry for retry in report.retries if self._partial or not retry.judged):
            said = "; ".join(one_line(line, LINE_LIMIT) for line in retry.said) or "nothing new"
            graded = "judged" if retry.why_not is None else f"not judged: {one_line(retry.why_not, LINE_LIMIT)}"
            yield f"{path} request {retry.request} rejects answer {retry.answer} ({graded}): {said}"
        for call in report.bad_calls:
            tool = one_line(call.tool, 60)
            yield f"{path} answer {call.exchange} calls {tool} with bad arguments: {named(call.findings)}"

    def _answers(self, path: str, report: FileReport) -> Iterator[str]:
        for answer in report.answers if report.lines is None else report.lines.listed:
            place = f":{answer.line}" if answer.line is not None else _place(answer.verdict.errors)
            if not answer.verdict.ok or self._level == VERBOSE:
                where = self._style.strong(path if path == str(STDIN) and answer.line is None else f"{path}{place}")
                yield f"{where}: {render_verdict(answer.verdict, color=self._style.color)}"
        if report.lines is not None and report.lines.unlisted:
            left = f"{report.lines.unlisted:,} more bad answers are not listed"
            yield f"{path}: {left}: the list ends after {len(report.lines.listed):,}"

    def _conversation(self, path: str, convergence: Convergence, report: FileReport) -> Iterator[str]:
        if not convergence.ok:
            self._first_bad = self._first_bad or path
        if self._level == VERBOSE:
            from ...report.conversation import render_conversation

            yield f"{self._style.strong(path)}:"
            known = beside(report.proofs, convergence.conversation)
            yield render_conversation(convergence, color=self._style.color, beside=known)
            yield ""
            return
        if not convergence.ok:
            yield conversation_line(path, convergence, self._style)
        proofs = [proof for proof in report.proofs if proof.finding[0] == convergence.conversation]
        for proof in proofs[:PROOFS_SHOWN]:
            _, attempt, code, place = proof.finding
            yield f"{path}:   attempt {attempt}, {one_line(to_dotted(place), 60)} [{one_line(code, 40)}]: {proof.text}"
        if len(proofs) > PROOFS_SHOWN:
            more = count(len(proofs) - PROOFS_SHOWN, "more finding")
            yield f"{path}:   and {more} that experiments have settled (-v)"

    def _plan(self, path: str, report: FileReport) -> Iterator[str]:
        """Yield the findings of a plan in their places: all of them if requested, else if any is more than a remark."""
        if report.plan is None:
            return
        weighed = [finding for finding in report.plan.findings if finding.severity is not Severity.INFO]
        everything = self._level == VERBOSE
        if everything or report.plan.in_part or weighed:
            from ...report.plan_text import render_plan

            where = self._style.strong(f"{path}{_place(weighed)}")
            yield f"{where}: {render_plan(report.plan, everything=everything, color=self._style.color)}"


def _place(findings: Sequence[Finding]) -> str:
    """Return the first place of some findings as editors open it, such as ':4:9'; "" if none is in the file itself."""
    own = (finding.span for finding in findings if not finding.inside)  # the others count the lines in a field's text
    span = next((span for span in own if span is not None), None)
    return f":{span.line}:{span.column}" if span is not None else ""


def conversation_line(path: str, convergence: Convergence, style: Style) -> str:
    """Return one bad conversation on one line: its file, how it ended, why it fails, which checks failed."""
    from ...report.conversation import failure_reason

    failed = [c.name for c in convergence.checks if c.status is CheckStatus.FAIL]
    reason = failure_reason(convergence)
    if failed and reason.startswith(f"{failed[0]}: "):
        del failed[0]
    checks = f" (failed: {', '.join(failed)})" if failed else ""
    outcome = style.bad(convergence.outcome.value.replace("_", " "))
    name = one_line(convergence.conversation, 60)
    attempts = count(len(convergence.attempts), "attempt")
    return f"{style.strong(path)} [{name}] {outcome}, {attempts}: {reason}{checks}"


class ErrorsOutput(TextOutput):
    """The findings of plans as schema errors under one heading per file. Everything else is as in `TextOutput`."""

    def add(self, report: FileReport) -> None:
        """Add one file's report."""
        super().add(replace(report, plan=None))
        bad = [finding for finding in report.plan.findings if finding.severity.bad] if report.plan is not None else []
        if bad:
            from ...contract.feedback.command_style import bullet

            self._lines.append(f"{one_line(str(report.path))} schema validation failed:")
            self._lines += [f"- {one_line(bullet(finding), 600)}" for finding in bad]


class JsonOutput(Output):
    """One document: every file with its cases as rows of a run, then the figures."""

    def __init__(self) -> None:
        self._files: list[dict[str, object]] = []
        self.gate: dict[str, object] = {}
        """The state of the baseline; empty if none was named."""

    def add(self, report: FileReport) -> None:
        """Add one file's report."""
        self._files.append(file_values(report))

    def end(self, tally: Tally) -> str:
        """Return the whole text."""
        # ASCII only, so that a lone surrogate in an answer stays an escape and never causes an encoding error.
        return without_log_commands(
            json.dumps({"schema": 1, "files": self._files, "summary": tally.values(), **self.gate}, indent=1)
        )


def file_values(report: FileReport) -> dict[str, Any]:
    """Return one file as plain values: what was read from it, and its cases as rows."""
    from ...runs.judge_cases import fed_back_row
    from ...runs.model.codec import row_data

    lines = report.lines
    counted = {} if lines is None else {"answers": lines.answers, "ok": lines.good, "bad_not_listed": lines.unlisted}
    optional = {"doubts": list(report.doubts), "on_purpose": report.on_purpose, "surprise": report.surprise}
    retries = [
        {
            **{name: getattr(retry, name) for name in ("request", "answer", "judged", "why_not")},
            "known": retry.known.value,
            "says": list(retry.said),
            "findings": [row_data(fed_back_row(each)) for each in retry.fed_back],
        }
        for retry in report.retries
    ]
    calls = [
        {"answer": call.exchange, "tool": call.tool, "findings": list(map(finding_data, call.findings))}
        for call in report.bad_calls
    ]
    return {
        "path": report.path.as_posix(),
        "errors": list(report.all_errors),
        "skipped": report.skipped,
        "exchanges": report.exchanges,
        **{name: value for name, value in optional.items() if value},
        "raw": dict(report.raw),
        "not_judged": dict(report.unjudged),
        "rows": [row_data(row) for row in report.rows(alone=False)],
        "proofs": [proof.data for proof in report.proofs],
        **(
            {}
            if lines is None
            else {"field": lines.answer_field, "lines": {**counted, "without_answer": lines.problem_count}}
        ),
        "plan": None if report.plan is None else plan_values(report.plan),
        **({} if report.logs is None else {"logs": report.logs.values()}),
        "retries": retries,
        "steps": dict(report.steps),
        "argument_findings": calls,
    }


def plan_values(report: PlanReport) -> dict[str, Any]:
    """Return the plan as plain values. Its findings are in its row.

    If it could not be read in any format, `format` and the figures are null.
    """
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
    }
