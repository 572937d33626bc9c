"""Names of endpoints that no dialect reads, so that a raw exchange can say what it is."""

from __future__ import annotations

import re

MAX_PATH = 2_000
"""Characters of a path that is looked at; no known endpoint has a longer one."""

_KNOWN: tuple[tuple[str, str], ...] = (
    (r"count_?tokens|/input_tokens$|/tokenize$|/detokenize$", "token counting"),
    (r"generateContent$", "Gemini generateContent"),
    (r"/model/.+/converse(-stream)?$", "Bedrock Converse"),
    (r"/model/.+/invoke(-with-response-stream)?$", "Bedrock InvokeModel"),
    (r"/api/(chat|generate)$", "Ollama's own API"),
    (r"/v[12]/chat$", "Cohere chat"),
    (r"/complete$|(?<!/chat)/completions$", "text completions"),
    (r"/(assistants|threads)(/|$)", "OpenAI assistants"),
    (r"embed", "embeddings"),
    (
        r"/(moderations|rerank|images|audio|videos|files|batches|uploads|vector_stores|containers|fine_tuning)\b",
        "files and media",
    ),
    (r"/models(/[^/:]*)?$", "model listing"),
)
_PATTERNS = tuple((re.compile(pattern, re.IGNORECASE), name) for pattern, name in _KNOWN)


def endpoint_name(path: str) -> str | None:
    """What kind of endpoint a URL path is, where it is a known one that no dialect reads; None otherwise."""
    if len(path) > MAX_PATH:
        return None
    return next((name for pattern, name in _PATTERNS if pattern.search(path)), None)
