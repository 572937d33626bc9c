"""What the look-alike answers while the documentation's projects record."""

from __future__ import annotations

from ..support.lookalike import Lookalike

GOOD = {"title": "Printer on fire", "priority": "high", "steps": ["Cut the power", "Call the fire brigade"]}
BAD = {"title": "Printer on fire", "priority": "urgent", "steps": ["Cut the power"]}
ACME = {"vendor": "ACME Inc.", "date": "1 March 2026", "total": 2.5, "lines": [{"sku": "A-1", "price": 2.5}]}
BOLT = {"vendor": "Bolt GmbH", "date": "2 March 2026", "total": 75.0, "lines": [{"sku": "B-2", "price": 7.5}]}
CITED = {"text": "30 days.", "citations": [{"source": "faq.md", "quote": "You can return a lamp within 30 days."}]}


def teach(lookalike: Lookalike) -> None:
    """A model that is wrong first and fixes what the request names; told only to try again, it is right by luck."""
    lookalike.script(GOOD, GOOD, when="Try again")
    for words, answer in (("ACME Inc.", ACME), ("Bolt GmbH", BOLT), ("Answer from these sources", CITED)):
        lookalike.script(answer, answer, when=words)
    lookalike.script(GOOD, BAD)
