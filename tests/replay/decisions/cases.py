"""What is decided about cassettes: see `tests/support/decisions.py`."""

from __future__ import annotations

from ...support.decisions import Case
from .calls import calls, commands, refreshed, values_of_calls
from .files import bodies, files, taken_for, written, yaml_values
from .secrets import cleaned, hidden, names, redacted, shapes, values
from .sessions import cassettes, meanings, sessions

CASES: tuple[Case, ...] = (
    *(sessions, meanings, cassettes),
    *(redacted, cleaned, names, hidden, shapes, values),
    *(files, yaml_values, bodies, written, taken_for),
    *(values_of_calls, calls, commands, refreshed),
)
