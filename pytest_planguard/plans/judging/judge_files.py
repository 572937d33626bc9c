"""Judge plan files: for the command line, the plugin and contracts."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from ...contract.document_findings import parse_findings
from ...contract.failure_kinds import FailureKind
from ...contract.finding import Finding, Severity
from ...contract.own_checks import crash_finding, raised_outside
from ...document.answer import Document, Format, read
from ...errors import UsageError
from ...printable import one_line
from ..plan import Plan
from ..plan_graph import PlanGraph, graph_of
from ..profiles.formats import PROFILES, read_plan
from ..reading.markdown_pieces import TooMuchError
from ..reading.profile import Profile
from ..rules.judge_plan import BY_CODE, RULES, check_plan, is_known
from ..rules.rule import Rule

_UNREAD = frozenset(rule.code for rule in BY_CODE.values() if rule.unread)  # codes of findings about unread parts
_WEIGHED = frozenset(rule.code for rule in BY_CODE.values() if rule.severity is not Severity.INFO)
"""Codes of findings that are more severe than a remark, unless the plan was read with doubt."""
_SYNTAX: dict[str, Format] = {"markdown": "markdown", "md": "markdown", "json": "json", "yaml": "yaml", "yml": "yaml"}


@dataclass(frozen=True, slots=True)
class PlanReport:
    """The findings of one plan file."""

    path: str | None
    """The path as the caller gave it; None for standard input."""
    text: str
    """The whole text, for code frames."""
    plan: Plan | None
    """None if the text is malformed, or not a plan in a known format."""
    findings: tuple[Finding, ...] = ()

    @property
    def ok(self) -> bool:
        """True if no finding has severity retry or fail."""
        return not any(finding.severity.bad for finding in self.findings)

    @property
    def unread(self) -> tuple[Finding, ...]:
        """Findings about parts that were not read, or perhaps misread."""
        # in a guessed format, ids that seem to repeat may be parts of ids, or be numbered per phase
        doubted = _UNREAD | ({"id-unique"} if self.plan is not None and self.plan.known_by == "text" else set())
        return tuple(finding for finding in self.findings if finding.code in doubted)

    @property
    def unsure(self) -> tuple[Finding, ...]:
        """Remarks that would be more severe if the user had named the format: the plan was read with doubt."""
        if self.plan is None or is_known(self.plan):
            return ()
        return tuple(f for f in self.findings if f.severity is Severity.INFO and f.code in _WEIGHED)

    @property
    def in_part(self) -> bool:
        """True if everything certain is fine, but parts of the plan were not read with certainty."""
        return self.ok and self.plan is not None and bool(self.unread or self.unsure)

    @property
    def verdict(self) -> Literal["valid", "read_in_part", "invalid"]:
        """The verdict in one word."""
        if not self.ok or self.plan is None:
            return "invalid"
        return "read_in_part" if self.in_part else "valid"


def read_document(text: str | bytes, path: str | None = None) -> Document:
    """Read a plan file in the syntax that its suffix names, or that its content shows if it has no suffix.

    The whole text of a Markdown file is the plan, including code fences, unless the file begins with a fence.
    """
    suffix = path.rpartition(".")[2].lower() if path else ""
    document = read(text, format=_SYNTAX.get(suffix, "auto"), extract="whole")
    whole = document.text
    if document.format != "markdown" or document.data is None or whole.lstrip().startswith(("```", "~~~")):
        return document
    return Document(whole, whole, 0, "markdown", whole)


def check_text(
    text: str | bytes,
    *,
    path: str | None = None,
    format: str | None = None,  # noqa: A002
    rules: Iterable[Rule] = RULES,
    severity: Mapping[str, Severity | str] | None = None,
    profiles: Iterable[Profile] = PROFILES,
    catalogue: Collection[str] | None = None,
    hints: bool = False,
    named: bool = False,
    any_size: bool = False,
) -> PlanReport:
    """Return all findings of one plan file. No text makes it raise an exception.

    `path` gives the syntax by its suffix, and helps to detect the format. `check_plan` explains `rules`, `severity` and
    `catalogue`, and `read_plan` the others. Raises UsageError for the name of an unknown format.
    """
    document = read_document(text, path)
    broken = parse_findings(document, None)
    if document.data is None:
        return PlanReport(path, document.text, None, tuple(broken))
    plan, message = None, "this is not a plan in a known format"
    unread = Finding("format-detect", (), message, FailureKind.RULE, Severity.INFO, hint="name the format")
    try:
        plan = read_plan(document, format, path, profiles, hints=hints, named=named, any_size=any_size)
    except TooMuchError as error:
        unread = error.finding
    except Exception as error:
        if isinstance(error, UsageError) or not raised_outside(error):
            raise
        unread = crash_finding("the reader of a plan format", error)
    if plan is None:
        return PlanReport(path, document.text, None, (*broken, unread))
    found = check_plan(plan, rules, severity=severity, catalogue=catalogue)
    weighed = plan.traits.severities
    broken = [replace(one, severity=weighed.get(one.code, one.severity)) for one in broken]
    return PlanReport(path, document.text, plan, (*broken, *found))


def plan_graph(text: str | bytes, format: str | None = None, *, path: str | None = None) -> PlanGraph:  # noqa: A002
    """Return the task graph of a plan, with its waves, the longest chain, and tasks that can never start.

    Args:
        text: the plan.
        format: the plan format or family by name; None to detect it from the content.
        path: its path; the suffix determines the syntax, and the folder helps to detect the format.

    Raises:
        UsageError: there is no such format, or the text is not a plan.
    """
    report = check_text(text, path=path, format=format, rules=(), hints=True)
    if report.plan is None:
        why = "; ".join(finding.message for finding in report.findings) or "this is not a plan"
        raise UsageError(f"{path or 'the text'} has no task graph: {one_line(why, 400)}; name the format")
    return graph_of(report.plan)
