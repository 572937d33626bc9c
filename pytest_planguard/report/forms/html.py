"""Draw a page as one self-contained HTML file: `templates/page.html` with inline style and script.

Three measures keep a model's text harmless. It is sanitised, the template escapes it, and the file's policy allows only
the script whose hash it names.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from ...printable import one_line, visible
from ..page import Cases, Cell, Foreign, pieces, plain
from ..plain_text import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jinja2 import Environment

    from ...runs.store.store import RunPoint
    from ..page import Case, Page, Words

PACKAGE = "pytest_planguard.report.forms"
FOLDER = "templates"
NONE = "'none'"
NODES = 500
"""Maximum number of answers of a tree to show. The rest are counted."""
ANSWER_LIMIT = 20_000
"""Maximum number of characters of an answer on the page."""
ALL_ANSWERS = 12_000_000
"""Maximum number of characters of all answers together. With very many cases, each is clipped further, so that a
browser can hold them."""
LEAST = 400
"""Minimum length to which an answer is clipped, in characters: less shows no context."""
CHANGES = 100
"""Maximum number of changes of a case to list."""
KEY = 2_000
"""Maximum number of characters of a case's name, which a page shows in full. A parameter may be a sentence."""
_STEP = re.compile(r"(?<=::)|(?<=/)|(?=\[)")
"""Positions at which a test's id may break. Its last part distinguishes cases: "tests/test_a.py::test_x[case]"."""


def render_html(page: Page) -> str:
    """Return the page. It loads nothing external. Only a page with cases has a script, which filters them."""
    cases = [case for block in page.blocks if isinstance(block, Cases) for case in block.every()]
    style, script = _text("page.css"), _text("page.js") if cases else ""
    policy = f"default-src 'none'; img-src data:; style-src {_hash(style)}; script-src {_hash(script)}"
    names = {one_line(rule.rule, 120) for case in cases for _, rule in case.rules}
    return (
        _environment()
        .get_template("page.html")
        .render(
            page=page,
            style=_raw(style),
            script=_raw(script),
            policy=f"{policy}; base-uri 'none'; form-action 'none'",
            cases=bool(cases),
            rules=sorted(names),
            models=sorted({model for case in cases for model in case.models}),
            limit=answer_limit(cases),
            chart=history_chart(page.history),
        )
    )


def answer_limit(cases: Sequence[Case]) -> int:
    """Return how many characters of each answer are shown."""
    rows = (row for case in cases for _, side in case.sides for row in side)
    answers = sum(len(judged.attempts) for row in rows for judged in row.judged)
    return min(ANSWER_LIMIT, max(LEAST, ALL_ANSWERS // max(answers, 1)))


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    from ..change_text import pieces_of, rule_text
    from . import html_cases

    made = Environment(
        loader=FunctionLoader(_text), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    made.filters |= {"line": one_line, "plain": plain, "visible": visible}
    made.globals |= {
        "address": _address,
        "brief": _brief,
        "changed": pieces_of,
        "count": count,
        "key_parts": _key_parts,
        "names": _names,
        "rule_text": rule_text,
        "rows": html_cases,
        "split": _split,
        "CHANGES": CHANGES,
        "NODES": NODES,
    }
    return made


def _split(cell: Words | Cell) -> tuple[str, list[tuple[bool, str]]]:
    """Return the tone of a cell and its pieces: True if a piece is foreign, and its text."""
    words, tone = (cell.words, cell.tone) if isinstance(cell, Cell) else (cell, "")
    return tone, [(isinstance(piece, Foreign), str(piece)) for piece in pieces(words)]


def _address(case: Case) -> str:
    """Return 8 hex digits that identify the case on every page."""
    key = "\0".join(case.identity or (case.key,))
    return hashlib.sha256(key.encode(errors="backslashreplace")).hexdigest()[:8]


def _key_parts(case: Case) -> tuple[list[str], list[str]]:
    """Return the pieces of a case's name between which a line may break: those of its file, and those of the test.

    A key that is not a test's id has no file: [], ["case-0001"].
    """
    key = one_line(case.key, KEY)
    file, separator, test = key.partition("::")
    return (_STEP.split(f"{file}::"), _STEP.split(test)) if separator else ([], _STEP.split(key))


def _names(case: Case) -> list[str]:
    return sorted({one_line(rule.rule, 120) for _, rule in case.rules})


def _brief(case: Case) -> str:
    """Return the most important fact about a case without findings: a change that affects a rule, else the reason."""
    from ..change_text import change_line

    first = next(iter(case.changes), None)
    if first is not None and (first.breaks or first.fixes):
        return change_line(first)
    reason = "; ".join(filter(None, map(plain, (case.why, *case.unexplained))))
    return reason or (change_line(first) if first is not None else "")


def _text(name: str) -> str:
    return (files(PACKAGE) / FOLDER / name).read_text(encoding="utf-8")


def _raw(text: str) -> object:
    """Return our own style or script from this package, the only text that is not escaped."""
    from markupsafe import Markup

    return Markup(text)


def _hash(text: str) -> str:
    """Return the source expression of Content Security Policy for an inline element with this text."""
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'" if text else NONE


STEP, WIDTH, HEIGHT = 16, 12, 48
"""Sizes in the chart's units: distance between bars, width of a bar, and its height if all cases are good."""
SHORTEST = 1.5
"""Height of a run without good cases, so that it is still visible."""


def history_chart(points: Sequence[RunPoint]) -> dict[str, Any] | None:
    """Return the chart of good cases, oldest run first, with the same in words; None for fewer than two runs."""
    if len(points) < 2:
        return None
    bars = []
    for at, point in enumerate(points):
        share = point.cases.share or 0.0
        height = round(max(SHORTEST, share * HEIGHT), 2)
        when = f", {one_line(point.created[:16].replace('T', ' '), 40)}" if point.created else ""
        good = f"{point.cases.hits:,} of {point.cases.total:,} good ({100 * share:.0f} %)"
        words = f"{one_line(point.name, 80)}{when}: {good}"
        bars.append({"x": STEP * at, "y": round(HEIGHT - height, 2), "height": height, "words": words})
    shares = ", ".join(f"{100 * (point.cases.share or 0):.0f} %" for point in points)
    words = f"Good cases over the last {len(points):,} kept runs, oldest first: {shares}"
    return {"bars": bars, "width": STEP * len(points) - (STEP - WIDTH), "height": HEIGHT, "words": words}
