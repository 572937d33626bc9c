"""A comparison as one JSON document; its shape is published as docs/reference/run-diff.schema.json."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .diff_data import diff_data
from .json_safe import json_text

if TYPE_CHECKING:
    from .diff_report import DiffReport


def render_json(report: DiffReport, *, rows: bool = False) -> str:
    """The comparison with full values. With `rows` every case has its rows of both runs, raw answers included."""
    return json_text(diff_data(report.diff, report.gate, rows=rows))
