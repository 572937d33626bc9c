"""Scripted models for apps. Call them with messages, or pass their loopback address to an SDK as its base URL."""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ...errors import PlanguardError, UsageError
from ...replay.endpoint_exchange import Route
from ...replay.endpoint_server import Endpoint, EndpointServer
from ...replay.files.reader import RawInteraction
from ...replay.matching.cassette_index import RecordedEntry
from ...replay.matching.semantic import SemanticRequest
from ...replay.session.responder import Responder
from ...wire.exchange import Message
from .conversation import ScriptedAnswer, ScriptedConversation
from .loop_thread import LoopStoppedError
from .played import PlayedConversation, PlayedTurn

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from ...contract.contract import Contract
    from ...retry.results import Convergence


class ScriptResponder(Responder):
    """Answers every request to a route with a function."""

    def __init__(self, reply: Callable[[Message], Message]) -> None:
        """`reply` returns the response. If it raises a PlanguardError, the client gets the error's text."""
        self._reply = reply

    def answer(self, message: Message) -> RecordedEntry:
        """Return the response as if it had been recorded."""
        try:
            response = self._reply(message)
        except LoopStoppedError as stop:
            raise PlanguardError(str(stop)) from None
        raw = {
            "response": {
                "status": {"code": response.status, "message": "OK"},
                "headers": {name: [value] for name, value in response.headers.items()},
            }
        }
        unread = SemanticRequest(message.method, message.url, None, "")  # no recorded request is compared with it
        return RecordedEntry(1, RawInteraction(message, response, raw), unread, None)


_CALLED = "http://127.0.0.1/v1/chat/completions"
"""The URL used when the model is called as a function: messages are read as a chat completions request."""
_TOKEN = "scripted"
"""The path prefix if the user chose the port. Cassettes contain the address, so it must not change."""


class ScriptedModel:
    """A model for tests. Its answers depend on the feedback in each request.

    Call it with messages if the app takes a function. Use it as a context manager if the app takes a base URL:

    >>> with ScriptedModel(TICKET, script) as model:     # doctest: +SKIP
    ...     client = OpenAI(base_url=model.base_url, api_key="unused")
    """

    def __init__(
        self,
        contract: Contract,
        script: ScriptedConversation | Mapping[str, ScriptedConversation],
        *,
        port: int = 0,
        before_answer: Callable[[], object] | None = None,
    ) -> None:
        """Create a model. The server does not start yet.

        Args:
            contract: judges the answers and decides which findings must be fed back.
            script: the script to play. For several concurrent tasks: a mapping from words that occur only in a task's
                requests to its script.
            port: the port for `start`; 0 uses a free one.
            before_answer: called in the asking thread before each answer; its exceptions go to the app.
        """
        scripts = {"": script} if isinstance(script, ScriptedConversation) else dict(script)
        self.contract = contract
        self._played = {words: PlayedConversation(contract, one) for words, one in scripts.items()}
        self._port = port
        self._before_answer = before_answer
        self._lock = threading.Lock()
        self._server: EndpointServer | None = None
        self._endpoint: Endpoint | None = None
        self._route: Route | None = None

    # Use as a function

    def __call__(self, messages: Sequence[Mapping[str, object]] | str) -> str:
        """Return the text of the next answer to chat messages, or to a string as one user message."""
        return self.complete(messages).text

    def complete(self, messages: Sequence[Mapping[str, Any]] | str) -> ScriptedAnswer:
        """Return the next answer, with the reason why it ended."""
        turns = [{"role": "user", "content": messages}] if isinstance(messages, str) else [dict(m) for m in messages]
        body = json.dumps({"model": "scripted", "messages": turns}).encode()
        answer, _ = self._reply(Message({"content-type": "application/json"}, body, url=_CALLED))
        return answer

    # Use over HTTP

    def start(self) -> Self:
        """Listen on 127.0.0.1. Raises UsageError if the port is taken."""
        if self._route is None:
            self._server = self._listening()
            self._endpoint = Endpoint(self._listening)
            self._route = self._endpoint.open(ScriptResponder(lambda request: self._reply(request)[1]))
            if self._port:
                del self._server.routes[self._route.token]
                self._route.token = _TOKEN
                self._server.routes[_TOKEN] = self._route
        return self

    def stop(self) -> None:
        """Stop answering requests."""
        if self._endpoint is not None:
            self._endpoint.close()
        if self._server is not None and self._port:
            self._server.stop()
        self._server = self._endpoint = self._route = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def base_url(self) -> str:
        """Base URL for an OpenAI client. Reading it starts the server."""
        return self._base("https://api.openai.com/v1")

    @property
    def anthropic_url(self) -> str:
        """Base URL for an Anthropic client. Reading it starts the server."""
        return self._base("https://api.anthropic.com")

    def environment(self) -> dict[str, str]:
        """Return the base-URL variables for child processes in any language: OPENAI_BASE_URL, ANTHROPIC_BASE_URL, …."""
        self.start()
        assert self._endpoint is not None
        assert self._route is not None
        return self._endpoint.environment(self._route, os.environ)

    def _base(self, upstream: str) -> str:
        self.start()
        assert self._server is not None
        assert self._route is not None
        return self._server.origin + self._route.slot(upstream)

    def _listening(self) -> EndpointServer:
        if self._server is not None:
            return self._server
        if not self._port:
            return _shared_server()
        try:
            return EndpointServer(self._port)
        except OSError as error:
            raise UsageError(f"port {self._port}: {error.strerror or error}; leave it out to take a free one") from None

    # The conversation

    def turns(self, task: str = "") -> tuple[PlayedTurn, ...]:
        """Return the requests and answers of a task so far. Raises UsageError for an unknown task."""
        return tuple(self.played(task).turns)

    def judge(self, task: str = "") -> Convergence:
        """Judge a conversation: how its requests fed back findings, and how it ended.

        Raises:
            UsageError: there was no request, or the task is unknown.
        """
        from ...retry.judging.judge import judge

        exchanges = [turn.exchange for turn in self.played(task).turns]
        judged = judge(exchanges, [self.contract], conversation_ids=["played"] * len(exchanges)).conversations
        if not judged:
            raise UsageError("no request came to the scripted model; is the app given its base URL?")
        return judged[0]

    def played(self, task: str = "") -> PlayedConversation:
        """Return a task's conversation in its current state. Raises UsageError for an unknown task."""
        if task not in self._played:
            raise UsageError(f"there is no task {task!r}; there are {', '.join(map(repr, self._played))}")
        return self._played[task]

    def _reply(self, request: Message) -> tuple[ScriptedAnswer, Message]:
        if self._before_answer is not None:
            self._before_answer()
        with self._lock:
            return self._answered(request)

    def _answered(self, request: Message) -> tuple[ScriptedAnswer, Message]:
        return self._chosen(request).reply(request)

    def _chosen(self, request: Message) -> PlayedConversation:
        """Return the conversation whose key words occur first in the request."""
        if len(self._played) == 1:
            return next(iter(self._played.values()))
        text = request.body.decode("utf-8", "replace")
        places = [(found.start(), words) for words in self._played if (found := _occurs(words, text))]
        if not places:
            tasks = ", ".join(map(repr, self._played))
            raise UsageError(f"the request has the words of no task: {tasks}; put those of one into its prompt")
        return self._played[min(places)[1]]


def _occurs(words: str, text: str) -> re.Match[str] | None:
    """Find whole words, with JSON escapes: 'Task 1' does not match in 'Task 12'."""
    return re.search(rf"(?<!\w){re.escape(json.dumps(words)[1:-1])}(?!\w)", text)


@lru_cache(maxsize=1)
def _shared_server() -> EndpointServer:
    """Return the process's shared server. Each model has its own path prefix."""
    return EndpointServer()
