"""What a URL path says: which endpoint no dialect reads it names, and which model is asked."""

from __future__ import annotations

import re

MAX_PATH = 2_000
"""Characters of a path that is looked at; no known endpoint has a longer one."""

_KNOWN: tuple[tuple[str, str], ...] = (
    (r"count[_-]?tokens|/input_tokens$|/tokenize$|/detokenize$", "token counting"),
    (r"/cachedContents(/|$)", "Gemini context caches"),
    (r"/(assistants|threads)(/|$)", "OpenAI assistants; only a streamed run holds its answer"),
    (r"/agents/[^/]+/agentAliases/", "Bedrock agents"),
    (r"/predictions$", "Replicate predictions; a later request holds the answer"),
    (r"/(traces|spans|telemetry)(/|$)", "telemetry"),
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


_MODELS = tuple(
    re.compile(pattern)
    for pattern in (
        r"/model/(.+)/(?:converse|converse-stream|invoke|invoke-with-response-stream)$",  # Bedrock
        r"/models/([^:]+):[A-Za-z]+$",  # Gemini, Vertex
        r"/deployments/([^/]+)/",  # Azure OpenAI
    )
)


def model_in(path: str) -> str | None:
    """The model that a URL path names; None where it names none."""
    if len(path) > MAX_PATH:
        return None
    return next((found[1] for pattern in _MODELS if (found := pattern.search(path))), None)
