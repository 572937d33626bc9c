"""The outputs of a comparison: the terminal, files in the format of their suffix, the summary of a CI job."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import UsageError
from ..output import in_color, say

if TYPE_CHECKING:
    from ...report.comparison_words import DiffReport

FORMATS = ("text", "markdown", "html", "json", "github", "sarif", "junit")
SUFFIXES = {".md": "markdown", ".html": "html", ".htm": "html", ".json": "json", ".sarif": "sarif", ".xml": "junit"}
"""The form for a file's suffix. Any other suffix takes `--format`."""
SUMMARY = "GITHUB_STEP_SUMMARY"
SUMMARY_BYTES = 900_000
"""A job's summary may have 1 MiB per step. A larger one is not shown at all."""
SUMMARY_CASES = (50, 20, 5, 1)
"""Numbers of cases to show of one bucket. The first number that fits into the summary is used."""


def prefix() -> str:
    """Return the path of this folder in a workflow's checkout, or "" if unknown."""
    workspace = os.environ.get("GITHUB_WORKSPACE", "")
    here = Path.cwd()
    if not workspace or not here.is_relative_to(workspace):
        return ""
    path = here.relative_to(workspace).as_posix()
    return "" if path == "." else path


def rendered(form: str, report: DiffReport, *, rows: bool = False) -> str:
    """Return the comparison in any form but text."""
    if form in ("markdown", "html"):
        from ...report.forms import draw
        from ...report.pages.comparison import comparison_page

        return draw(comparison_page(report), form)
    if form == "github":
        from ...report.annotations import render_github

        return render_github(report)
    if form == "sarif":
        from ... import __version__
        from ...report.ci_files import render_sarif

        return render_sarif(report, __version__)
    if form == "junit":
        from ...report.ci_files import render_junit

        return render_junit(report)
    from ...report.diff_data import diff_data
    from ...report.plain_text import json_text

    return json_text(diff_data(report.diff, report.gate, rows=rows))


def form_of(file: Path, form: str) -> str:
    """Return the form of a file: by its suffix, else `--format`."""
    return SUFFIXES.get(file.suffix.lower(), form)


@dataclass(frozen=True, slots=True)
class Output:
    """The outputs of a comparison, as the user typed them."""

    output: str
    """The form on the terminal."""
    files: tuple[Path, ...] = ()
    rows: bool = False
    verbose: bool = False

    @property
    def forms(self) -> tuple[str, ...]:
        """Every requested form, the terminal's first."""
        return (self.output, *(form_of(file, self.output) for file in self.files))

    def deliver(self, report: DiffReport, text: Callable[[bool], str]) -> None:
        """Write the files and the job's summary, and print. `text` is called with True if colours are allowed.

        Raises: as `write`.
        """
        self.write(lambda form, color: text(color) if form == "text" else rendered(form, report, rows=self.rows))
        add_to_summary(lambda: _summary(report))

    def say(self, text: str, *, passes: bool) -> None:
        """Report why nothing was compared: as a workflow command, or on the terminal unless it is an error."""
        if self.output == "github":
            from ...report.annotations import Annotation, command

            say(command(Annotation("notice" if passes else "error", "", "", text)), commands=True)
        elif passes:
            say(text)
        add_to_summary(lambda: f"{'✅' if passes else '❌'} **planguard: nothing was compared** {text}\n")

    def write(self, render: Callable[[str, bool], str]) -> None:
        """Write each file in its form. Print the requested form, or the text if a file has that form.

        `render` is called with a form, and True if it may have colours, which only text on a terminal may.

        Raises:
            RunError: a file cannot be written.
            UsageError: two files have the same path.
        """
        from ...runs.store.project_files import write_whole

        if len({file.resolve() for file in self.files}) < len(self.files):
            raise UsageError("-o names a file twice")
        shown, *chosen = self.forms
        for file, form in zip(self.files, chosen, strict=True):
            text = render(form, False)
            write_whole(file, [text, "" if text.endswith("\n") else "\n"], "the report")
        form = "text" if shown in chosen else shown
        say(render(form, in_color()), painted=form == "text", commands=form == "github")


def add_to_summary(render: Callable[[], str]) -> None:
    """Add Markdown to the job's summary, if there is one. A failure to write it is only reported."""
    path = os.environ.get(SUMMARY)
    if not path:
        return
    try:
        with Path(path).open("a", encoding="utf-8") as file:  # other steps also write to it
            file.write(render())
    except OSError as error:
        say(f"planguard: the job's summary was not written to {path}: {error.strerror or error}", err=True)


def _summary(report: DiffReport) -> str:
    from ...report.forms.markdown import render_markdown
    from ...report.pages.comparison import comparison_page

    page = comparison_page(report)
    texts = (render_markdown(page, cases=cases) for cases in SUMMARY_CASES)
    text = next((text for text in texts if len(text.encode()) <= SUMMARY_BYTES), None)
    return f"{text}\n" if text is not None else "planguard: the summary is too long to be shown\n"
