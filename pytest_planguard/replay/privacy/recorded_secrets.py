"""List the secrets in an existing cassette that redaction would remove: places and kinds, never values.

Nothing is written.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..files.interaction import Interaction
from ..files.reader import Cassette, RawInteraction
from .redact import redact
from .redaction import Redaction


@dataclass(frozen=True, slots=True)
class RecordedSecret:
    """A secret in a cassette."""

    exchange: int
    """The number of its exchange, starting at 1."""
    place: str
    """Its place, for example "request header x-api-key"."""
    kind: str
    """Its kind, for example "GitHub token"."""

    def __str__(self) -> str:
        return f"exchange {self.exchange}: {self.place}: {self.kind}"


def secrets_of(cassette: Cassette, redaction: Redaction | None = None) -> tuple[RecordedSecret, ...]:
    """Return the secrets that would be removed if the cassette were made now, in the order of its exchanges.

    Headers that are left out entirely count ("a header that is not recorded"), and so do URL parameters.
    """
    rules = redaction or Redaction()
    return tuple(
        secret
        for number, raw in enumerate(cassette.interactions, 1)
        for secret in _of_interaction(number, _unpacked(raw), rules)
    )


def _unpacked(raw: RawInteraction) -> Interaction:
    return replace(raw.as_recorded, request_body=raw.request.body, response_body=raw.response.body)


def _of_interaction(number: int, interaction: Interaction, redaction: Redaction) -> Iterator[RecordedSecret]:
    for name, _values in interaction.request_headers:
        if redaction.hides_header(name) and not redaction.keeps_header(name):
            yield RecordedSecret(number, f"request header {name.lower()}", "a header that is not recorded")
    redacted = redact(interaction, redaction)
    noted = {secret.place for secret in redacted.secrets}
    for place in _addresses(interaction, redacted.interaction):
        if place not in noted:
            yield RecordedSecret(number, place, "a parameter of an address")
    for secret in redacted.secrets:
        yield RecordedSecret(number, secret.place, secret.kind)


def _addresses(before: Interaction, after: Interaction) -> Iterator[str]:
    """Yield the places of URLs and headers that redaction changed. Secrets are expected there, and not reported."""
    if before.url != after.url:
        yield "request url"
    for side, old, new in (
        ("request", before.request_headers, dict(after.request_headers)),
        ("response", before.response_headers, dict(after.response_headers)),
    ):
        yield from (f"{side} header {name.lower()}" for name, values in old if new.get(name, values) != values)
