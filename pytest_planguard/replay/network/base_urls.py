"""The environment variables in which SDKs look for a provider's base URL."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .contacts import place_of

VARIABLES: Mapping[str, str] = {
    "OPENAI_BASE_URL": "https://api.openai.com/v1",
    "OPENAI_API_BASE": "https://api.openai.com/v1",
    "AZURE_OPENAI_ENDPOINT": "",
    "ANTHROPIC_BASE_URL": "https://api.anthropic.com",
    "GOOGLE_GEMINI_BASE_URL": "https://generativelanguage.googleapis.com",
    "OLLAMA_HOST": "http://127.0.0.1:11434",
    "AWS_ENDPOINT_URL_BEDROCK_RUNTIME": "https://bedrock-runtime.{region}.amazonaws.com",
}
"""Maps each variable to its upstream if the user sets none; "" if only the user knows it."""


def leads_back(asked: str, recorded: str, own_path: str) -> Iterator[str]:
    """Yield the variable that leads an app to the recorded base URL, if it uses the provider's default instead.

    Some apps send other requests to the default, such as a token count first.

    Args:
        asked: the URL of the request.
        recorded: the URL of the first recorded request.
        own_path: the part of its path that belongs to the endpoint: "/chat/completions".
    """
    host, _ = place_of(asked)
    name = next((name for name, url in VARIABLES.items() if host and place_of(url)[0] == host), None)
    if name is not None and place_of(recorded)[0] != host:
        base = recorded.partition("?")[0].removesuffix(own_path.partition("?")[0])
        yield f"it was recorded at another base URL; to send the same requests again, set {name}={base}"
