"""The variables by which clients are told where a model is, and the address that each stands for by default."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...errors import UsageError

VARIABLES: Mapping[str, str] = {
    "OPENAI_BASE_URL": "https://api.openai.com/v1",
    "OPENAI_API_BASE": "https://api.openai.com/v1",
    "AZURE_OPENAI_ENDPOINT": "",
    "ANTHROPIC_BASE_URL": "https://api.anthropic.com",
    "GOOGLE_GEMINI_BASE_URL": "https://generativelanguage.googleapis.com",
    "OLLAMA_HOST": "http://127.0.0.1:11434",
    "AWS_ENDPOINT_URL_BEDROCK_RUNTIME": "https://bedrock-runtime.{region}.amazonaws.com",
}
"""Name to the upstream where the user sets none; "" where only the user knows it."""
_REGIONS = ("AWS_REGION", "AWS_DEFAULT_REGION")


def with_own(variables: Iterable[str]) -> dict[str, str]:
    """Return the table with further ones, each 'NAME=URL' or 'NAME' alone. Raises UsageError for any other text."""
    table = dict(VARIABLES)
    for text in variables:
        name, _, url = text.partition("=")
        if not name.isidentifier() or (url and not url.startswith(("http://", "https://"))):
            raise UsageError(f"planguard_endpoint_variables: got {text!r}; write NAME=https://HOST/PATH, or NAME alone")
        table[name] = url.rstrip("/")
    return table


def upstream_of(name: str, default: str, environment: Mapping[str, str]) -> str:
    """Return where requests go that a variable leads: to what the user has set, else to the default; "" for nowhere."""
    own = environment.get(name, "").strip().rstrip("/")
    if own:
        return own if "://" in own else f"http://{own}"  # OLLAMA_HOST may be host and port alone
    region = next((environment[name] for name in _REGIONS if environment.get(name)), "us-east-1")
    return default.replace("{region}", region)
