"""The summary of a CI job: a session's verdict, its baseline and its failing cases as Markdown, for GitHub to show."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pytest

    from ...runs.model.header import RunHeader
    from .baseline import KnownFailures


def add_to_summary(
    path: str,
    header: RunHeader,
    texts: Sequence[str],
    passed: bool,
    known: KnownFailures | None,
    config: pytest.Config,
) -> str | None:
    """Add the session to the job's summary, a file; returns what went wrong, None where nothing did.

    That it cannot be written fails nothing.
    """
    from ...report.run.session_markdown import render_session_markdown
    from ...runs.model.row_read import read_row
    from ...runs.model.run import Run
    from .stale_section import stale_lines, unrecorded_lines

    rows = [json.loads(text) for text in texts]
    text = render_session_markdown(
        Run(header, tuple(map(read_row, rows))),
        passed=passed,
        known=known.known if known is not None else (),
        baseline=known.report if known is not None else None,
        path=known.shown_path if known is not None else "",
        now=datetime.now(UTC),
        hints=[*stale_lines(rows, config), *unrecorded_lines(rows, config, least=1)],
    )
    try:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(f"{text}\n")
    except OSError as error:
        return f"the job's summary was not written to {path}: {error.strerror or error}"
    return None
