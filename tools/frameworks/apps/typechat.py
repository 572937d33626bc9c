"""TypeChat: the translator's repair prompt."""

import asyncio
from typing import Literal

from task import ORIGIN, prompt
from typing_extensions import TypedDict

PACKAGES = ["typechat"]
SHOWN = ["typechat", "httpx"]
SCRIPTS = {
    "translator": {
        "good": {"title": "Printer", "priority": "high", "steps": ["look"]},
        "bad": {"title": "Printer", "priority": "hi", "steps": ["look"]},
    }
}
CASES = ["translator"]


class Ticket(TypedDict):
    """TypeChat takes TypedDicts only, so bounds cannot be said."""

    title: str
    priority: Literal["low", "medium", "high"]
    steps: list[str]


def run(case, feedback):
    """One translation; without feedback the repair prompt says nothing."""
    return asyncio.run(translate(case, feedback))


async def translate(case, feedback):
    from typechat import TypeChatJsonTranslator, TypeChatValidator, create_language_model

    env = {"OPENAI_ENDPOINT": f"{ORIGIN}/v1/chat/completions", "OPENAI_API_KEY": "test", "OPENAI_MODEL": "m"}
    translator = TypeChatJsonTranslator(create_language_model(env), TypeChatValidator(Ticket), Ticket)
    if not feedback:
        silent = "The above JSON object is invalid. Try again."
        translator._create_repair_prompt = lambda _: silent  # noqa: SLF001 - TypeChat has no other way
    return await translator.translate(prompt(case))
