"""How the app asks the model."""

from __future__ import annotations

from typing import Any

import httpx2

URL = "https://api.example.com/v1/chat/completions"


def ask(messages: list[dict[str, Any]]) -> str:
    answered = httpx2.post(URL, json={"model": "m", "messages": messages}, verify=False)
    answered.raise_for_status()
    text: str = answered.json()["choices"][0]["message"]["content"]
    return text
