"""The detectors over one growing text: the text of an answer, or the arguments of one tool call.

They only run after the text has grown by a step, not for every piece, so that the total time is linear.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..contract.failure_kinds import FailureKind
from ..contract.finding import Finding
from ..contract.phrasing import clip
from ..document.prose import classify, loop_message
from ..errors import UsageError
from .json_prefix import JsonPrefix, PartialCheck
from .lead_in import LeadIn, demanded

if TYPE_CHECKING:
    from ..contract.contract import Contract


CHARACTERS_PER_TOKEN = 4
"""An estimate for English prose. If the stream has the provider's count, that is used instead."""


@dataclass(frozen=True, slots=True)
class StreamThresholds:
    """When a detector fires. 0 turns a detector off, None removes a limit.

    Raises:
        UsageError: a negative number.
    """

    prose_tokens: int = 500
    """Maximum number of tokens of text before the document. A thinking block at the start is not counted."""
    container_tokens: int = 150
    """Number of tokens after which an answer that looks like Markdown, without a document, counts as the wrong
    container."""
    container_lines: int = 3
    """Number of headings, list items and table rows that make a text Markdown. An introduction has one or two."""
    refusal_tokens: int = 100
    """Tokens of text after which a phrase such as "I cannot help with" counts as a refusal. Some models apologise
    first, then answer."""
    loop_characters: int = 4_000
    """Length of a repetition, in characters, that counts as a loop in a document: a list of 2,000 zeros does, one of
    1,000 does not. In prose, 400 characters are enough."""
    echo_characters: int = 8_192
    """Number of characters at the start of a document to search for the schema, which begins an echo."""
    partial: bool = False
    """True to validate complete fields while the rest is still missing."""
    max_characters: int | None = None
    """Maximum length of an answer, in characters, without its thinking block."""

    def __post_init__(self) -> None:
        tokens, lengths = ("prose_tokens", "container_tokens", "refusal_tokens"), ("loop_characters", "echo_characters")
        for name in (*tokens, "container_lines", *lengths):
            if getattr(self, name) < 0:
                raise UsageError(f"wrong {name}: got {getattr(self, name)}; give 0 or more")
        if self.max_characters is not None and self.max_characters < 1:
            raise UsageError(f"wrong max_characters: got {self.max_characters}; give 1 or more, or None for no bound")


@dataclass(frozen=True, slots=True)
class StreamFinding:
    """One thing wrong with an answer that has not ended, and when it was detected."""

    finding: Finding
    character: int
    """Number of characters between the start of the judged text and the point at which the detector fired."""
    tokens: int
    """The same position in tokens: the provider's count from the stream, or a quarter of `character`, rounded up."""

    @property
    def code(self) -> str:
        """The finding's code, for example "prose" or "schema_echo"."""
        return self.finding.code


def refusal_finding(text: str) -> Finding:
    """Return the finding for a refusal."""
    return Finding("refusal", (), f"the answer declines: {clip(' '.join(text.split()))}", FailureKind.REFUSAL)


_DOCUMENT = "a JSON document"
_LEAD_STEP = 64
"""Number of characters between two checks while the document has not begun."""
_STEP = 1_000
"""The same once the document has begun."""
_PARTIAL_STEP = 256
"""The same if complete fields are validated, which are rarely longer than a line or two."""
_GROWTH = 4
"""A document is validated again after growing by a quarter. In total, 1 MB or 50 MB are parsed five times."""
_SURE = 256
"""Number of characters after which a text that began like JSON counts as the document, even if broken: prose with `{"`
breaks sooner."""
_PROSE_LOOP = 400
"""Number of characters of prose that must repeat one piece."""
_MORE_PROSE = 20_000
"""Number of characters beyond the other thresholds after which prose stays prose, if `prose_tokens` is off: each look
reads all of it."""
_LOOP_TIMES = 8
"""Minimum number of repetitions of that piece."""
_PROBE = 32
"""Length, in characters, of the piece to search for when looking for repetitions."""


class Track:
    """Takes the pieces of one text, and adds findings to a list that the texts of an answer share."""

    def __init__(self, contract: Contract | None, thresholds: StreamThresholds, findings: list[StreamFinding]) -> None:
        self._findings = findings
        self.length = 0
        """Characters so far."""
        self._thresholds = thresholds
        self._parts: list[str] = []
        self._seen = 0
        self._next = 1
        self._tail = ""
        self._fired: set[object] = set()
        self._tokens_per_character = 1 / CHARACTERS_PER_TOKEN
        self._check = None if contract is None else PartialCheck(contract)
        wants_json = contract is not None and (
            contract.format == "json" or (contract.format == "auto" and contract.schema is not None)
        )
        lists, self._keys = demanded(contract.json_schema if contract is not None else None)
        yaml_keys = self._keys if contract is not None and contract.format == "auto" else frozenset()
        self._lead = LeadIn(lists=lists, keys=yaml_keys) if wants_json else None
        self._prefix: JsonPrefix | None = None
        self._document_at = 0
        self._next_check = _LEAD_STEP
        self._searched = 0

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(self._parts)

    @property
    def in_thinking(self) -> bool:
        """True if the text is inside its thinking block."""
        return self._lead is not None and self._lead.thinking

    def add(self, piece: str) -> None:
        """Take the next piece."""
        self._parts.append(piece)
        self.length += len(piece)
        if self.length >= self._next:
            self._look()

    def count(self, tokens: int) -> None:
        """Take the provider's count of the tokens so far."""
        if self.length and tokens:
            self._tokens_per_character = tokens / self.length

    def finish(self) -> None:
        """Check the text since the last check, and an answer that ended without a document."""
        self._next_check = 0
        if self._seen < self.length:
            self._look()
        if self._prefix is not None:
            self._look_at_document(self._prefix)
        elif self._lead is not None and classify(self._lead.prose[:_PROSE_LOOP])[0] == "refusal":
            self._fire(refusal_finding(self._lead.prose), self.length)

    def _look(self) -> None:
        piece = self._new_piece()
        self._tail = (self._tail + piece)[-max(_PROSE_LOOP, self._thresholds.loop_characters) :]
        if self._lead is not None:
            self._look_at_lead(self._lead, piece)
        elif self._prefix is not None:
            self._prefix.feed(piece)
            self._look_at_document(self._prefix)
        self._look_for_loop()
        self._look_at_length()
        self._next = self._next_look()

    def _new_piece(self) -> str:
        """Return the text since the last check, and keep it as one part, so that small pieces take little memory."""
        fresh: list[str] = []
        characters = self.length - self._seen
        while characters > 0:
            fresh.append(self._parts.pop())
            characters -= len(fresh[-1])
        piece = "".join(reversed(fresh))
        self._parts.append(piece)
        self._seen = self.length
        return piece

    def _look_at_lead(self, lead: LeadIn, piece: str) -> None:
        lead.feed(piece)
        if self._prefix is not None:
            self._prefix.feed(piece)
        while self._candidate_is_rejected(lead):
            pass
        if self._lead is not None and self._prefix is None and not lead.thinking:
            self._look_at_prose(lead, len(piece))

    def _candidate_is_rejected(self, lead: LeadIn) -> bool:
        """Accept or reject the possible start of the document; return True to look for another candidate."""
        if self._prefix is None:
            candidate = lead.candidate()
            if candidate is None:
                return False
            self._document_at, is_json = candidate
            if not is_json:
                self._lead = None
                return False
            self._prefix = JsonPrefix()
            self._prefix.feed(lead.text_from(self._document_at))
        if not self._is_refuted(self._prefix, lead):
            return False
        lead.reject(self._document_at)
        self._prefix = None
        return True

    def _is_refuted(self, prefix: JsonPrefix, lead: LeadIn) -> bool:
        """Return True if a candidate is not the document. A confirmed one ends the lead-in."""
        if prefix.size >= _SURE and (prefix.broken is None or prefix.broken >= _SURE):
            refuted = prefix.end is not None and not self._is_document(prefix, lead)
        else:
            refuted = prefix.broken is not None or (prefix.end is not None and not self._is_document(prefix, lead))
            if not refuted and prefix.end is None:
                return False  # too early to decide
        if not refuted:
            self._lead = None
            self._look_at_document(prefix)
        return refuted

    def _is_document(self, prefix: JsonPrefix, lead: LeadIn) -> bool:
        """Return True if a complete candidate was asked for: `{"a": 1}` in a sentence has no key of the contract."""
        try:
            value = json.loads(lead.text_from(self._document_at)[: prefix.end])
        except (ValueError, RecursionError):
            return True
        if isinstance(value, dict) and self._keys:
            return not self._keys.isdisjoint(value) or "$defs" in value or "properties" in value or len(value) == 1
        return bool(value)

    def _look_at_prose(self, lead: LeadIn, new: int) -> None:
        bounds = self._thresholds
        characters = self.length - lead.prose_from
        last = CHARACTERS_PER_TOKEN * max(bounds.refusal_tokens, bounds.container_tokens)
        # without the new characters: a single piece may be the whole answer
        if not bounds.prose_tokens and characters - new > last + _MORE_PROSE:
            return
        if self._reached(characters, bounds.refusal_tokens) and classify(lead.prose[:_PROSE_LOOP])[0] == "refusal":
            self._fire(refusal_finding(lead.prose), self.length)
        if self._reached(characters, bounds.container_tokens) and 0 < bounds.container_lines <= lead.markdown_lines(
            bounds.container_lines
        ):
            message = "the answer is Markdown where JSON is asked; return the JSON document alone"
            self._fire(Finding("wrong_container", (), message, FailureKind.PROSE, expected=_DOCUMENT), self.length)
        if self._reached(characters, bounds.prose_tokens):
            message = f"no JSON document in the first {bounds.prose_tokens} tokens; return the JSON document at once"
            self._fire(Finding("prose", (), message, FailureKind.PROSE, expected=_DOCUMENT), self.length)
            self._lead = None

    def _reached(self, characters: int, tokens: int) -> bool:
        return tokens > 0 and math.ceil(characters * self._tokens_per_character) >= tokens

    def _look_at_document(self, prefix: JsonPrefix) -> None:
        size = prefix.size
        if size < self._next_check or self._check is None:
            return
        self._next_check = size + max(_PARTIAL_STEP if self._thresholds.partial else size, size // _GROWTH)
        text = self.text[self._document_at :]
        # The part before was searched. A piece of 50,000 characters is longer than the tail.
        start = min(self._searched, size - len(self._tail))
        self._searched = size
        if start <= self._thresholds.echo_characters > 0 and "schema_echo" not in self._fired:
            echo = self._check.echo(text, prefix)
            if echo is not None:
                self._fire(echo, self.length)
        if self._thresholds.partial:
            for found in self._check.findings(text, prefix):
                self._fire(found, self._document_at + prefix.complete_to)
        elif size > self._thresholds.echo_characters or prefix.end is not None or prefix.broken is not None:
            self._prefix = None

    def _look_for_loop(self) -> None:
        in_document = self._prefix is not None or (self._lead is None and "prose" not in self._fired)
        length = self._thresholds.loop_characters if in_document else _PROSE_LOOP
        if self._thresholds.loop_characters == 0 or "loop" in self._fired or self.in_thinking:
            return
        piece = _repeated(self._tail[-length:]) if len(self._tail) >= length else None
        if piece is not None:
            self._fire(Finding("loop", (), loop_message(piece), FailureKind.LOOP), self.length)

    def _look_at_length(self) -> None:
        bound = self._thresholds.max_characters
        start = self._lead.prose_from if self._lead is not None else 0
        if bound is not None and self.length - start > bound and not self.in_thinking:
            message = f"the answer has more than {bound:,} characters; return a shorter one"
            wanted = f"at most {bound:,} characters"
            found = Finding("too_large", (), message, FailureKind.TOO_LARGE, expected=wanted)
            self._fire(found, start + bound + 1)

    def _next_look(self) -> int:
        """Return the length at which to check the text again."""
        if self._lead is None:
            partial = self._prefix is not None and (self._thresholds.partial or self.length < _STEP)
            return self.length + (_PARTIAL_STEP if partial else _STEP)
        bounds = (self._thresholds.refusal_tokens, self._thresholds.container_tokens, self._thresholds.prose_tokens)
        # 1,997 characters make 500 tokens
        exact = [self._lead.prose_from + (tokens - 1) * CHARACTERS_PER_TOKEN + 1 for tokens in bounds if tokens]
        return min([self.length + _LEAD_STEP, *(at for at in exact if at > self.length)])

    def _fire(self, finding: Finding, character: int) -> None:
        # once for each place: the same wrong field is found again after every piece
        key = finding.code if not finding.path else finding.identity
        if key not in self._fired:
            self._fired.add(key)
            tokens = math.ceil(character * self._tokens_per_character)
            self._findings.append(StreamFinding(finding, character, tokens))


def _repeated(tail: str) -> str | None:
    """Return the piece that a text repeats eight times or more; None if it is not a repetition."""
    at = tail.rfind(tail[-_PROBE:], 0, len(tail) - 1)  # one character less, or the end would find itself
    period = len(tail) - _PROBE - at
    if at < 0 or period * _LOOP_TIMES > len(tail) or tail[period:] != tail[:-period]:
        return None
    return tail[-period:]
