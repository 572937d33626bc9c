"""A scripted conversation in progress: read what each request feeds back, and answer the request."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from ...errors import UsageError
from ...retry.judging.attempts import Applied, output_tool, verdict_of
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
"""Grades of findings that the model cannot fix, because the request does not mention them. "unclear" is not among them:
those words may mention the finding."""
PARROTED = "the feedback repeats the answer verbatim, so the two cannot be told apart"


def in_doubt(graded: FedBack) -> bool:
    """Return True if reading the request cannot decide if a finding is fed back or missing.

    If the words name another place, or another problem at its place, the finding is not fed back. A finding about the
    whole answer has no place. The app may use its validator's words for it: "steps: Field required" if the model
    returned the schema.
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
    """How the request feeds back each finding of the previous answer."""
    heard: Heard = field(default_factory=Heard)
    """The feedback that the model understands from the request."""
    sent: tuple[Message, Message] = (Message(), Message())
    """The request and the response, as sent over HTTP."""


def _is_parroted(answer: str, asked: Exchange) -> bool:
    """Return True if a request ends with the answer. A model that copies feedback may get the same feedback again."""
    said = last_user(asked)
    return said is not None and normal_text(said.text) == normal_text(answer)


class PlayedConversation:
    """A conversation with its turns so far. It is not thread-safe."""

    def __init__(self, contract: Contract, script: ScriptedConversation) -> None:
        self.contract = contract
        self.script = script
        self.turns: list[PlayedTurn] = []
        self.options = JudgeOptions()
        """How strictly to judge the requests."""
        self.understands_all = False
        """True if the model treats unreadable words as feedback, because an experiment decides later."""
        self._applied = Applied.of(contract)
        self._linker = Linker(lines=["played"])

    def reply(self, request: Message) -> tuple[ScriptedAnswer, Message]:
        """Return the answer to a request, and the response that contains it.

        Raises:
            UsageError: the request uses a dialect that the model does not support.
        """
        number = len(self.turns) + 1
        asked = _asked(number, request)
        fed_back, heard = self._fed_back(asked)
        answer = self.script.answer([turn.answer for turn in self.turns], heard, self.contract.json_schema)
        reply = Reply(answer, number, asked.model or "scripted", self._tool(asked))
        content_type, body = response_body(asked.dialect, reply, stream=bool(json.loads(request.body).get("stream")))
        response = Message({"content-type": content_type}, body, url=request.url)
        exchange = decode(number, request, response)
        verdict = verdict_of(exchange, self._applied) or self.contract.check(answer.text)
        self._linker.add(exchange, "played")
        self.turns.append(PlayedTurn(exchange, answer, verdict, fed_back, heard, (request, response)))
        return answer, response

    def _fed_back(self, asked: Exchange) -> tuple[tuple[FedBack, ...], Heard]:
        """Return how the last answer's findings are fed back, and the feedback that the model understands."""
        link = self._linker.next(asked, "played") if self.turns else None
        if link is None:
            return (), Heard()
        last = self.turns[-1]
        reading = read([link.delta])
        attempt = Attempt(len(self.turns), last.exchange, last.verdict)
        fed_back = gradings(attempt, reading, self.options, self._applied.names, self.contract.json_schema)
        if _is_parroted(last.verdict.text, asked):
            fed_back = tuple(replace(graded, grade=Grade.NOT_JUDGED, how=None, reason=PARROTED) for graded in fed_back)
        told = tuple(
            graded.finding.path
            for graded in fed_back
            if graded.grade not in _NOT_FED_BACK or (self.understands_all and in_doubt(graded))
        )
        if not told and reading.said and not any(finding.path for finding in last.verdict.errors):
            told = ((),)  # others say "missing fields" of an echoed schema: any named error is about the whole
        return fed_back, Heard(bool(told), told, link.delta.text)

    def _tool(self, asked: Exchange) -> str | None:
        """Return the tool to call: the contract's tool, or else the only tool; None to answer with text."""
        if not asked.tools or asked.tool_choice == "none":
            return None
        return output_tool(asked, self._applied) or (next(iter(asked.tools)) if len(asked.tools) == 1 else None)


def _asked(number: int, request: Message) -> Exchange:
    """Return the request as an exchange without an answer."""
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
