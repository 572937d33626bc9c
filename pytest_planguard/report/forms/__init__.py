"""Draw a page as text, Markdown or HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..page import Page

FORMS = ("text", "markdown", "html")


def draw(page: Page, form: str, *, color: bool = False, verbose: bool = False) -> str:
    """Return the page in one of `FORMS`. Text may have colours, and may show every case and every change."""
    if form == "markdown":
        from .markdown import render_markdown

        return render_markdown(page)
    if form == "html":
        from .html import render_html

        return render_html(page)
    from .text import render_text

    return render_text(page, color=color, verbose=verbose)
