"""One scripted conversation in progress: read what each request feeds back, and answer it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ...errors import UsageError
from ...retry.judging.attempt_answers import Applied, output_tool, verdict_of
from ...retry.judging.judge import gradings
from ...retry.judging.judging_options import JudgeOptions
from ...retry.linking.linker import Linker
from ...retry.linking.sameness import last_user, normal_text
from ...retry.matching.fed_back import read
from ...retry.outcomes import DROPPED, Grade, ReasonCode
from ...retry.results import Attempt, FedBack
from ...wire.body import to_text
from ...wire.decode import decode
from ...wire.dialects.dialect_table import matching
from ...wire.exchange import Exchange, Message
from ...wire.untrusted_json import parsed_or_none
from .conversation import Heard, ScriptedAnswer, ScriptedConversation
from .response_bodies import SPOKEN, Reply, response_body

if TYPE_CHECKING:
    from ...contract.contract import Contract
    from ...contract.verdict import Verdict

_NOT_FED_BACK = (*DROPPED, Grade.NOT_JUDGED)
"""Grades of findings that the model cannot fix, because the request does not name them. Unclear words may name them."""
PARROTED = "the feedback is the answer word for word, so that nobody can tell the one from the other"


def in_doubt(graded: FedBack) -> bool:
    """Return True if reading alone cannot tell that a finding is fed back, or that it is missing.

    Words that name another place, or its place with another problem, lose the finding. A finding about the whole answer
    has no place: an app may name it in its validator's words, "steps: Field required" for a schema that is sent back.
    """
    if graded.grade not in DROPPED:
        return graded.grade in (Grade.PARTIAL, Grade.UNCLEAR)
    return graded.reason_code is ReasonCode.NOTHING_NAMED or (
        graded.reason_code is not ReasonCode.NOTHING_NEW and not graded.finding.path
    )


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """One request and its answer."""

    exchange: Exchange
    answer: ScriptedAnswer
    verdict: Verdict
    """The contract's verdict on the answer."""
    fed_back: tuple[FedBack, ...] = ()
    """How the request feeds back each finding of the answer before."""
    heard: Heard = field(default_factory=Heard)
    """The feedback that the model takes from the request."""
    sent: tuple[Message, Message] = (Message(), Message())
    """The request and its response as they went over the wire."""


def _is_parroted(answer: str, asked: Exchange) -> bool:
    """Return True if a request ends in the answer: a model that copies feedback may get the same feedback for it."""
    said = last_user(asked)
    return said is not None and normal_text(said.text) == normal_text(answer)


class PlayedConversation:
    """A conversation with its turns so far. It is not thread-safe."""

    def __init__(self, contract: Contract, script: ScriptedConversation) -> None:
        self.contract = contract
        self.script = script
        self.turns: list[PlayedTurn] = []
        self.options = JudgeOptions()
        """How strictly its requests are judged."""
        self.understands_all = False
        """True if the model treats words that planguard cannot read as feedback, since an experiment will decide."""
        self._applied = Applied.of(contract)
        self._linker = Linker(lines=["played"])

    def reply(self, request: Message) -> tuple[ScriptedAnswer, Message]:
        """Return the answer to a request, and the response that contains it.

        Raises:
            UsageError: the request is in none of the dialects that the model speaks.
        """
        number = len(self.turns) + 1
        asked = _asked(number, request)
        fed_back, heard = self._fed_back(asked)
        answer = self.script.answer([turn.answer for turn in self.turns], heard, self._schema)
        reply = Reply(answer, number, asked.model or "scripted", self._tool(asked))
        content_type, body = response_body(asked.dialect, reply, stream=_streams(request))
        response = Message({"content-type": content_type}, body, url=request.url)
        exchange = decode(number, request, response)
        verdict = verdict_of(exchange, self._applied) or self.contract.check(answer.text)
        self._linker.add(exchange, "played")
        self.turns.append(PlayedTurn(exchange, answer, verdict, fed_back, heard, (request, response)))
        return answer, response

    @property
    def _schema(self) -> Mapping[str, Any] | None:
        return self.contract.json_schema

    def _fed_back(self, asked: Exchange) -> tuple[tuple[FedBack, ...], Heard]:
        """Return how the last answer's findings are fed back, and the feedback that the model takes from it."""
        link = self._linker.next(asked, "played") if self.turns else None
        if link is None:
            return (), Heard()
        last = self.turns[-1]
        reading = read([link.delta])
        attempt = Attempt(len(self.turns), last.exchange, last.verdict)
        fed_back = gradings(attempt, reading, self.options, self._applied.names, self._schema)
        if _is_parroted(last.verdict.text, asked):
            fed_back = tuple(replace(graded, grade=Grade.NOT_JUDGED, how=None, reason=PARROTED) for graded in fed_back)
        told = tuple(graded.finding.path for graded in fed_back if self._is_told(graded))
        if not told and reading.said and not any(finding.path for finding in last.verdict.errors):
            told = ((),)  # others say "missing fields" of an echoed schema: any named error is about the whole
        return fed_back, Heard(bool(told), told, link.delta.text)

    def _is_told(self, graded: FedBack) -> bool:
        return graded.grade not in _NOT_FED_BACK or (self.understands_all and in_doubt(graded))

    def _tool(self, asked: Exchange) -> str | None:
        """Return the tool to call: the one for the contract, else the only one; None to answer in words."""
        if not asked.tools or asked.tool_choice == "none":
            return None
        return output_tool(asked, self._applied) or (next(iter(asked.tools)) if len(asked.tools) == 1 else None)


def _asked(number: int, request: Message) -> Exchange:
    """Return the request as an exchange that has no answer yet."""
    body = parsed_or_none(to_text(request.body))
    known = matching(urlsplit(request.url).path, body) if isinstance(body, dict) else ()
    dialect = next((one.name for one in known if one.name in SPOKEN), None)
    if dialect is None:
        raise UsageError(
            f"a scripted model speaks {', '.join(SPOKEN)}: got {request.method} {urlsplit(request.url).path}, which is "
            "none of them; ask it through an SDK of OpenAI or Anthropic, or call it with messages"
        )
    content_type, empty = response_body(dialect, Reply(ScriptedAnswer(""), number, "scripted"), stream=False)
    response = Message({"content-type": content_type}, empty, url=request.url)
    return replace(decode(number, request, response), answer=())


def _streams(request: Message) -> bool:
    body = json.loads(request.body)
    return isinstance(body, dict) and bool(body.get("stream"))
