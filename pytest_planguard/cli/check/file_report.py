"""The findings of `planguard check` in one file, as rows of a run, and what `expected.yaml` beside it lists."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from fnmatch import fnmatch
from typing import TYPE_CHECKING, NamedTuple

from ...contract.finding import Severity
from ...errors import CassetteError, nearest
from ...printable import one_line
from ...report.plain_text import count
from ...retry.outcomes import CheckStatus, Grade
from ..inputs.answers import raised, warnings_fail

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from ...contract.finding import Finding
    from ...plans.judging.judge_files import PlanReport
    from ...retry.judging.grading.same_words import Answered
    from ...retry.judging.retry_listing import ListedRetry
    from ...retry.results import Convergence
    from ...runs.logs.summary import LogSummary
    from ...runs.model.judged_answers import Judged
    from ...runs.model.run import CaseRow
    from ...runs.store.kept_proofs import KeptProof
    from ..inputs.answers import CheckedAnswer, JudgedLines
    from ..inputs.sources import Source


class BadCall(NamedTuple):
    """A call of an ordinary tool whose arguments break the schema in the request."""

    exchange: int
    """Number of the exchange that makes the call."""
    tool: str
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class FileReport:
    """The results of one file."""

    path: Path
    conversations: tuple[Convergence, ...] = ()
    answers: tuple[CheckedAnswer, ...] = ()
    cassette: bool = False
    """True for a cassette, even if it has no exchanges."""
    for_model: str | None = None
    """The model that the test of a cassette names; None if it names none."""
    exchanges: int = 0
    raw: Counter[str] = field(default_factory=Counter)
    """Exchanges kept as raw text, by reason."""
    unjudged: Counter[str] = field(default_factory=Counter)
    """Parsed exchanges that no contract judges, by reason."""
    errors: tuple[str, ...] = ()
    """Why the file, or a line of it, could not be read, and what to do."""
    skipped: str | None = None
    """Why a file in a folder was left out; None if it was judged."""
    plan: PlanReport | None = None
    """The result of the rules, if it is a plan."""
    unanswered: Counter[str] = field(default_factory=Counter)
    """Requests that no model answered, by failure kind: `auth`, `transport`."""
    retries: tuple[ListedRetry, ...] = ()
    """All retries in a cassette, including those that no contract judges."""
    steps: Counter[str] = field(default_factory=Counter)
    """Number of steps in a cassette by kind."""
    calls: int = 0
    """Calls of ordinary tools whose arguments were checked against the declared schema."""
    bad_calls: tuple[BadCall, ...] = ()
    on_purpose: bool = False
    """True if it fails as the `expected.yaml` beside it says."""
    surprise: str | None = None
    """How it differs from its expectations; None if it has none or meets them."""
    lines: JudgedLines | None = None
    """The results of its lines, if each is an answer. These are not in `answers` and `errors`."""
    logs: LogSummary | None = None
    """The results of all logs together; None for another file."""
    new_rules: tuple[str, ...] | None = None
    """Rules that conversations in logs break but did not break in the previous run. If None, all failures count."""
    doubts: tuple[str, ...] = ()
    """Reasons why a cassette may not hold what was recorded: it was edited by hand."""
    answered: Answered = field(default_factory=dict)
    """For a cassette, the findings that the new words of each retry answered."""
    proofs: tuple[KeptProof, ...] = ()
    """Results of experiments in kept runs about the unclear findings. They decide nothing."""

    @property
    def all_errors(self) -> tuple[str, ...]:
        """Why the file, or lines of it, could not be read. Many lines are cut to the first ones and a count."""
        if self.lines is None:
            return self.errors
        more = self.lines.problem_count - len(self.lines.problems)
        rest = (f"{count(more, 'more line')} {'has' if more == 1 else 'have'} no answer",) if more else ()
        return (*self.errors, *self.lines.problems, *rest)

    @property
    def failed_checks(self) -> set[str]:
        """The checks that fail in any conversation of a cassette."""
        checks = (check for conversation in self.conversations for check in conversation.checks)
        return {check.name for check in checks if check.status is CheckStatus.FAIL}

    @property
    def has_unclear(self) -> bool:
        """True if a request may feed back a finding."""
        attempts = (attempt for convergence in self.conversations for attempt in convergence.attempts)
        return any(graded.grade is Grade.UNCLEAR for attempt in attempts for graded in attempt.fed_back)

    def with_warnings_failed(self) -> FileReport:
        """Return a report in which warnings are failures. Those of lines are counted when the lines are judged."""
        return replace(
            self,
            conversations=tuple(map(_check_warnings_fail, self.conversations)),
            answers=tuple(replace(answer, verdict=warnings_fail(answer.verdict)) for answer in self.answers),
            plan=None if self.plan is None else _plan_warnings_fail(self.plan),
        )

    def rows(self, *, alone: bool) -> Iterator[CaseRow]:
        """Yield its rows. `alone` is True if it is the only file that was named.

        Then its lines are named by their own keys, as in `planguard diff`.
        """
        # Most calls print text, which needs none of these.
        from ...runs.judge_cases import conversation_row, verdict_row
        from ...runs.model.run import CaseRow
        from ...runs.store.cassette_folders import recorded_case

        path = self.path.as_posix()
        stem = self.path.with_suffix("").as_posix()
        if self.conversations:
            judged = tuple(conversation_row(each, {}) for each in self.conversations)
            case = recorded_case(stem, model=self.for_model)
            key = stem if case is None else case.key
            yield CaseRow(key, path, for_model=self.for_model, cassette=path, judged=judged)
        for answer in self.answers:
            yield CaseRow(stem, path, judged=(verdict_row(answer.verdict),))
        for answer in self.lines.listed if self.lines is not None else ():
            key = str(answer.key if answer.key is not None else answer.line)
            name = key if alone else f"{stem}/{key}"
            yield CaseRow(name, f"{path}:{answer.line}", judged=(verdict_row(answer.verdict),))
        if self.logs is not None:
            from ...runs.model.codec import read_row

            yield from (read_row(CaseRow, listed.row) for listed in self.logs.listed)
        if self.plan is not None:
            yield CaseRow(stem, path, judged=(_plan_row(self.plan),))


def _plan_row(report: PlanReport) -> Judged:
    from ...runs.model.judged_answers import AttemptRow, Judged

    bad = next((finding.kind.value for finding in report.findings if finding.severity.bad), None)
    attempt = AttemptRow(report.text, report.ok, bad, report.findings)
    return Judged((attempt,), "valid" if report.ok else "invalid", report.ok, contract="plan", single=True)


def _plan_warnings_fail(report: PlanReport) -> PlanReport:
    """Return the report with its warnings and notes about unread parts as findings that make it bad."""
    unread = {id(finding) for finding in report.unread}
    findings = (
        replace(one, severity=Severity.WARN) if one.severity is Severity.INFO and id(one) in unread else one
        for one in report.findings
    )
    return replace(report, findings=raised(tuple(findings)))


def _check_warnings_fail(convergence: Convergence) -> Convergence:
    """Return the conversation with its warning checks failed. `valid` fails if the last answer has warnings."""
    checks = [replace(c, status=CheckStatus.FAIL) if c.status is CheckStatus.WARN else c for c in convergence.checks]
    verdict = convergence.verdict
    warned = [f for f in verdict.findings if f.severity is Severity.WARN] if verdict is not None else []
    if warned:
        first = warned[0]
        why = f"the last answer has {len(warned)} {'warning' if len(warned) == 1 else 'warnings'}: {first.message}"
        checks = [replace(c, status=CheckStatus.FAIL, message=why) if c.name == "valid" else c for c in checks]
    return replace(convergence, checks=tuple(checks))


NAME = "expected.yaml"
MARK, FAILS = "planguard", "fails"
KIND = "expected"
"""Value of `MARK` in a file that belongs to planguard. A file of that name without it may be an answer."""
Patterns = tuple[tuple[str, tuple[str, ...]], ...]
"""Pattern of a file's name, and the checks that fail in it. The last matching pattern counts."""
HOLDS = "expected to fail {checks}, and {found}: fix " + NAME + ", or find out what is overlooked"


class Expectations:
    """The expectations in a command's folders. Each file of expectations is read once."""

    def __init__(self) -> None:
        self._folders: dict[Path, Patterns] = {}

    def without_own(self, sources: Iterable[Source]) -> tuple[Source, ...]:
        """Return the sources without files of expectations, which are not answers. Raises CassetteError."""
        return tuple(source for source in sources if source.path.name != NAME or not self._of(source.path.parent))

    def held_against(self, report: FileReport) -> FileReport:
        """Return the report of a cassette, compared with its expectations. Raises CassetteError."""
        expected = self._checks(report.path)
        if not expected:
            return report
        failed = report.failed_checks
        if set(expected) <= failed:
            return replace(report, on_purpose=True)
        found = f"only {', '.join(sorted(failed))} failed" if failed else "it holds"
        return replace(report, surprise=HOLDS.format(checks=", ".join(expected), found=found))

    def _checks(self, path: Path) -> tuple[str, ...]:
        fitting = [checks for pattern, checks in self._of(path.parent) if fnmatch(path.name, pattern)]
        return fitting[-1] if fitting else ()

    def _of(self, folder: Path) -> Patterns:
        if folder not in self._folders:
            self._folders[folder] = read_expected(folder / NAME)
        return self._folders[folder]


def read_expected(path: Path) -> Patterns:
    """Return the expectations in a file; () if it doesn't exist or is not ours.

    Raises CassetteError if it is ours but invalid.
    """
    import yaml

    from ...replay.files.safe_yaml import load_plain

    try:
        value = load_plain(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError, yaml.YAMLError):
        return ()
    if not isinstance(value, dict) or value.get(MARK) != KIND:
        return ()
    fails = value.get(FAILS)
    if not isinstance(fails, dict) or not fails:
        got = one_line(str(fails), 80)
        ask = 'write "*.broken.yaml": [feedback]'
        raise CassetteError(f"{path}: {FAILS} must map file names to checks: got {got}; {ask}")
    return tuple((str(pattern), _named_checks(path, str(pattern), checks)) for pattern, checks in fails.items())


def _named_checks(path: Path, pattern: str, checks: object) -> tuple[str, ...]:
    from ...retry.judging.outcome import CHECK_NAMES

    names = checks if isinstance(checks, list) else [checks]
    for name in names:
        if name not in CHECK_NAMES:
            near = nearest(str(name), CHECK_NAMES)
            offer = f"did you mean {near!r}?" if near else f"name one of {', '.join(CHECK_NAMES)}"
            where = f"{path}: {one_line(pattern, 80)}"
            raise CassetteError(f"{where}: no check has this name: got {one_line(str(name), 40)}; {offer}")
    return tuple(map(str, names))
