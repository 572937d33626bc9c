"""A check of the user's own that raised: a finding that ends a loop and is never fed back, since no answer fixes it."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from .failure_kinds import FailureKind
from .finding import Finding
from .severity import Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..document.path import Path as DocumentPath

CRASHED = "rule_crashed"
"""The code of such a finding."""
MESSAGE_LIMIT = 200
"""Characters of an exception's own message that are kept."""
FRAMES = 3
"""Innermost frames of the traceback that are kept."""


def crash_finding(what: str, error: Exception, path: DocumentPath = ()) -> Finding:
    """Return the finding of a check that raised; its hint is the end of the traceback."""
    message = f"{what} itself raised {type(error).__name__}: {str(error)[:MESSAGE_LIMIT]}"
    return Finding(CRASHED, path, message, FailureKind.RULE, Severity.FAIL, hint=_frames(error))


def raised_outside(error: Exception) -> bool:
    """Return whether an exception came out of a user's own code: a frame of its traceback stands outside planguard."""
    frames = traceback.extract_tb(error.__traceback__)
    return any(_is_users(Path(frame.filename)) for frame in frames[_after_entry(frames) :])


def _is_users(file: Path) -> bool:
    """Return whether code is neither planguard's nor of the libraries that it calls."""
    standard = file.is_relative_to(_STANDARD) and "site-packages" not in file.parts
    return not (standard or file.is_relative_to(_PACKAGE) or _PARSERS & set(file.parts) or "<" in file.name)


def _after_entry(frames: Sequence[traceback.FrameSummary]) -> int:
    """Return the first frame of planguard: those before it are of whoever called."""
    inside = (at for at, frame in enumerate(frames) if Path(frame.filename).is_relative_to(_PACKAGE))
    return next(inside, 0)


def fed_back(findings: Iterable[Finding]) -> list[Finding]:
    """Return the bad findings that a model can do something about."""
    return [found for found in findings if found.severity.bad and found.code != CRASHED]


def _frames(error: Exception) -> str:
    """Return 'raised in contracts.py:12 adds_up: return v["tax"] < 0', the innermost frame first."""
    frames = traceback.extract_tb(error.__traceback__)[-FRAMES:][::-1]
    own = [frame for frame in frames if not Path(frame.filename).is_relative_to(_PACKAGE)]
    return "raised in " + ", called in ".join(f"{Path(f.filename).name}:{f.lineno} {f.name}: {f.line}" for f in own)


_PACKAGE = Path(__file__).parents[1]
_STANDARD = Path(traceback.__file__).parent
_PARSERS = frozenset({"markdown_it", "yaml", "pydantic"})
"""Libraries that read documents for planguard; where one raises, nobody's own check did."""
