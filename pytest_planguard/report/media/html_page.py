"""One self-contained HTML page: a template of this package with its style and script inside, and nothing from outside.

Three fences keep what a model wrote inert: it is sanitised, escaped by the template, and the page's policy runs no
script but the one whose hash it names.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from ...printable import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jinja2 import Environment

PACKAGE = "pytest_planguard.report"
FOLDER = "templates"
NONE = "'none'"


def render_page(template: str, script: str | None = None, *, notes: Sequence[str] = (), **values: Any) -> str:
    """Return the page.

    Args:
        template: name of the template, "run_diff.html".
        script: name of the script that it runs, "run_diff.js"; None for a page that needs none.
        notes: what a reader has to know beside; they end the page.
        values: what the template shows. Every text in it is escaped there.
    """
    style, code = _text("page.css"), _text(script) if script else ""
    policy = f"default-src 'none'; img-src data:; style-src {_hash(style)}; script-src {_hash(code) if code else NONE}"
    page = _environment().get_template(template)
    policy += "; base-uri 'none'; form-action 'none'"
    return page.render(style=_raw(style), script=_raw(code), policy=policy, notes=notes, **values)


def block(text: str, limit: int) -> str:
    """Foreign text of several lines, safe to show, with a note of how much was cut."""
    cut = len(text) - limit
    return visible(text[:limit]) + (f"\n… ({cut:,} more characters)" if cut > 0 else "")


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    return Environment(
        loader=FunctionLoader(_text), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )


def _text(name: str) -> str:
    return (files(PACKAGE) / FOLDER / name).read_text(encoding="utf-8")


def _raw(text: str) -> Any:
    """Our own style and script, files of this package: the only text that is not escaped."""
    from markupsafe import Markup

    return Markup(text)


def _hash(text: str) -> str:
    """Return the source expression of Content Security Policy for an inline element with this text."""
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"
