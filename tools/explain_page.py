"""Write docs/reference/explain.md from the catalogue: `python -m tools.explain_page`."""

from __future__ import annotations

from pathlib import Path

from pytest_planguard.report.explain.explain_page import explain_page
from pytest_planguard.report.explain.lookup import catalogue

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "explain.md"

if __name__ == "__main__":
    PAGE.write_text(explain_page(catalogue()), encoding="utf-8", newline="\n")
