"""The table of feedback styles, by name."""

from __future__ import annotations

from ..errors import UsageError
from .compat.autospec import AUTOSPEC_STYLE, SEED_STYLE
from .styles.command import COMMAND_STYLE
from .styles.compact import COMPACT
from .styles.correction import Correction, Style, Worded
from .styles.default import DEFAULT
from .styles.json_object import JSON
from .styles.revise import REVISE
from .styles.tool_result import TOOL_RESULT
from .wording import nearest


def _say_nothing(_: Correction) -> Worded:
    return Worded("", 0)


BLIND = Style("blind", _say_nothing)
"""No feedback at all: the control against which feedback proves its worth."""

STYLES: dict[str, Style] = {
    style.name: style
    for style in (DEFAULT, COMPACT, COMMAND_STYLE, REVISE, TOOL_RESULT, JSON, AUTOSPEC_STYLE, SEED_STYLE, BLIND)
}


def style_named(name: str) -> Style:
    """The style of that name.

    Raises:
        UsageError: no such style; the message has the nearest name and all of them.
    """
    found = STYLES.get(name)
    if found is None:
        from ..document.text.nearest import offer

        rest = offer(nearest(name, STYLES), STYLES, listed="Valid styles")
        raise UsageError(f"unknown feedback style {name!r}{rest}")
    return found


def register_style(style: Style) -> None:
    """Add a feedback style, for extensions.

    Raises:
        UsageError: a style of that name exists already.
    """
    if STYLES.get(style.name, style) is not style:
        raise UsageError(f"a feedback style {style.name!r} exists already; choose another name")
    STYLES[style.name] = style


def unregister_style(name: str) -> None:
    """Take an added style out again; nothing happens where there is none of that name."""
    STYLES.pop(name, None)
