"""Find the API for a path, and whether to stream the answer."""

from __future__ import annotations

from .cohere import COHERE
from .converse import CONVERSE, INVOKE
from .dialects import CHAT, MESSAGES, RESPONSES
from .gemini import GEMINI
from .ollama import OLLAMA
from .spelling import Body, Spelling

SPELLINGS: dict[str, Spelling] = {
    "/chat/completions": CHAT,
    "/responses": RESPONSES,
    "/messages": MESSAGES,
    ":generateContent": GEMINI,
    ":streamGenerateContent": GEMINI,
    "/api/chat": OLLAMA,
    "/v1/chat": CHAT,
    "/v2/chat": COHERE,
    "/converse": CONVERSE,
    "/converse-stream": CONVERSE,
    "/invoke": INVOKE,
    "/invoke-with-response-stream": INVOKE,
}
"""By the end of the request's path. Azure, Groq, Mistral, DeepSeek, OpenRouter, vLLM … speak the first;
`/v1/chat` is Writer's. InvokeModel takes Anthropic's bodies here."""


def spelling_of(path: str) -> Spelling | None:
    """Return the API of a path without its query; None for any other path."""
    return next((spelling for end, spelling in SPELLINGS.items() if path.endswith(end)), None)


def is_stream(path: str, body: Body) -> bool:
    """Return whether the path or a field of the body asks for a stream."""
    return path.endswith((":streamGenerateContent", "-stream")) or bool(body.get("stream"))
