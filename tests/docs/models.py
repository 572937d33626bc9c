"""What the look-alike answers while the documentation's projects record."""

from __future__ import annotations

from ..support.lookalike import Lookalike

GOOD = {"title": "Printer on fire", "priority": "high", "steps": ["Cut the power", "Call the fire brigade"]}
BAD = {"title": "Printer on fire", "priority": "urgent", "steps": ["Cut the power"]}


def teach(lookalike: Lookalike) -> None:
    """A model that is wrong first and fixes what the request names; told only to try again, it is right by luck."""
    lookalike.script(GOOD, GOOD, when="Try again")
    lookalike.script(GOOD, BAD)
