"""How a test's row says why the test was not run again."""

from __future__ import annotations

OFF = "the app is not run again, since "
"""How such a reason begins."""


def reason(why: str, what: str = "", way_out: str = "") -> str:
    """Return it for a person: what is the same for all tests of one kind, what is this test's, what may be done."""
    seen = f"{OFF}{why}: {what}" if what else f"{OFF}{why}"
    return f"{seen}; {way_out}" if way_out else seen


def group_of(reason: str) -> str:
    """Return what all reasons of a kind have in common: all but what was seen in one test."""
    seen, _, way_out = reason.removeprefix(OFF).partition("; ")
    return f"{seen.partition(': ')[0]}; {way_out}"
