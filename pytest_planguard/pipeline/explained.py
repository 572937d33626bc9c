"""What the stream monitor's own finding codes mean; the others are those of the contract."""

from __future__ import annotations

from ..registry import CATALOGUE, Sort, explained

_CODES = (
    (
        "wrong_container",
        "A stream began as Markdown, or as a fence of another language, where JSON is asked.",
        "The rest of the stream would be paid for nothing, so it was closed.",
        "`# Ticket` as the first line",
        "Ask for JSON alone; the request may be sent again with this finding.",
    ),
)
CATALOGUE.register(explained(Sort.CODE, _CODES))
