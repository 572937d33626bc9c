"""Judge the plan files among a command's files. The files of one folder are judged together."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from ..inputs.sources import CASSETTE_SUFFIXES, MARKDOWN_SUFFIXES, SourceKind, kind_of
from .own_process import Watch

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ...plans.judging.judge_files import PlanReport
    from ...plans.judging.policy import PlanPolicy
    from ..inputs.sources import Plans, Source

SUFFIXES = (*MARKDOWN_SUFFIXES, *CASSETTE_SUFFIXES)
"""Suffixes that show a plan's syntax."""
_JSON = re.compile(rb"(?:\xef\xbb\xbf)?\s*[\[{]")
"""The start of a JSON document: "{" or "[", possibly after a byte order mark and white space."""


@dataclass
class PlanFiles:
    """Judges plan files. Those in one folder are judged together, when the first of them is needed."""

    made: Callable[[], PlanPolicy]
    """Makes the policy, for the first file that may be a plan."""
    asked_for: bool
    """True if the user gave an option about plans. A broken file named on the command line then counts as a broken
    plan."""
    fixes_schema: bool = False
    """True if `--schema` was given. Then `plan fix` also repairs problems that only the schema reports."""
    sources: tuple[Source, ...] = ()
    """All files of the command."""
    watch: Watch = field(default_factory=Watch)
    """Receives the progress of judging."""
    _reports: dict[Path, PlanReport] = field(default_factory=dict)
    _done: set[Path] = field(default_factory=set)
    _by_folder: dict[Path, list[Source]] = field(default_factory=dict)

    @cached_property
    def policy(self) -> PlanPolicy:
        """The policy for plan files."""
        return self.made()

    @property
    def which(self) -> Plans:
        """The documents that are plans."""
        return "all" if self.asked_for else "by content"

    def report(self, source: Source, content: bytes) -> PlanReport:
        """Return the report of one file, which has no `plan` if the file is broken or not a plan."""
        if source.path.suffix.lower() not in SUFFIXES:
            return self._unnamed(source, content)
        folder = source.path.parent
        if folder not in self._done:
            self._done.add(folder)
            self._reports.update(self._folder(folder))
        # Popped: a report holds the text of its file, and each file is asked for once.
        found = self._reports.pop(source.path, None)
        return self._alone(source, content) if found is None else found

    def plan_content(self, source: Source) -> bytes | None:
        """Return the content of a file that may be a plan and whose suffix shows its syntax; None for others."""
        content = _content(source) if source.path.suffix.lower() in SUFFIXES else None
        return content if content is not None and self._is_plan(source, content) else None

    def judged(self, source: Source, content: str | bytes) -> PlanReport:
        """Return the report of a text in place of a file's content, judged alone."""
        path = source.path.as_posix()
        return self.policy.judge({path: content}, {path} if source.named else ())[path]

    def why_not(self, source: Source) -> str:
        """Return the message about a file that is not a plan.

        If the user named the file, the message also says how to judge it.
        """
        if not source.named:
            return f"neither a cassette nor {self.policy.unknown()}"
        contract = "--contract module:NAME or file.py:NAME"
        if self.asked_for:
            answer = f"To judge it as an answer, use {contract} without options about plans."
            return f"neither a cassette nor {self.policy.unknown()}. {self._as_a_plan()}{answer}"
        return (
            f"this is neither a cassette nor {self.policy.unknown()}, and no contract is named. If it is an answer, "
            f"name its contract: {contract}. {self._as_a_plan()}"
        ).rstrip()

    def _as_a_plan(self) -> str:
        """Return the advice on how to judge it as a plan anyway."""
        if self.policy.format is None:
            formats = ", ".join(dict.fromkeys(profile.family for profile in self.policy.profiles))
            return f"If it is a plan, name its format: --rules FORMAT ({formats}, or a document: spec-kit-tasks). "
        documents = " or ".join(profile.name for profile in self.policy.candidates)
        return f"If it is such a plan, name which document it is: --rules {documents}. "

    def _folder(self, folder: Path) -> dict[Path, PlanReport]:
        texts: dict[Path, bytes] = {}
        forced = set()
        for source in self._in(folder):
            content = None if source.path in self.watch.ended else _content(source)
            if content is not None and self._is_plan(source, content):
                texts[source.path] = content
                forced |= {source.path.as_posix()} if source.named else set()
                if self.watch.one_by_one:
                    self.watch.begins(source.path)
                    self._alone(source, content)
        self.watch.together(sum(map(len, texts.values())))
        try:
            reports = self.policy.judge({path.as_posix(): content for path, content in texts.items()}, forced)
        except Exception:  # a defect: each file is then judged alone, to find the one that causes it
            return {}
        return {path: reports[path.as_posix()] for path in texts}

    def _in(self, folder: Path) -> list[Source]:
        """Return the files of a folder whose suffixes show a plan's syntax."""
        if not self._by_folder:
            for source in self.sources:
                if source.path.suffix.lower() in SUFFIXES:
                    self._by_folder.setdefault(source.path.parent, []).append(source)
        return self._by_folder.get(folder, [])

    def _is_plan(self, source: Source, content: bytes) -> bool:
        return kind_of(source, content, with_contract=False, plans=self.which) is SourceKind.PLAN

    def _alone(self, source: Source, content: bytes) -> PlanReport:
        return self.judged(source, content)

    def _unnamed(self, source: Source, content: bytes) -> PlanReport:
        """Judge standard input, or a file whose name doesn't show the syntax, by trying each possible syntax."""
        medium = self.policy.medium
        suffixes = [".json"] if _JSON.match(content) else [".yaml", ".md"]
        if medium is not None and len(suffixes) > 1:
            suffixes = [".md"] if medium == "markdown" else [".yaml"]
        names = [f"{source.path.as_posix()}{suffix}" for suffix in suffixes]
        reports = [self.policy.judge({name: content}, {name})[name] for name in names]
        return next((report for report in reports if report.plan is not None), reports[-1])


def is_no_plan(report: PlanReport) -> bool:
    """Return True if the file is a valid document but not a plan."""
    return report.plan is None and any(finding.code == "format-detect" for finding in report.findings)


def _content(source: Source) -> bytes | None:
    try:
        return source.path.read_bytes()
    except OSError:  # reported when the file itself is judged
        return None
