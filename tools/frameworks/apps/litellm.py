"""Raw loops over litellm: sync, async, streamed, and another provider's dialect behind the same call."""

import asyncio
import os

import task
from task import ORIGIN

os.environ["OLLAMA_API_BASE"] = ORIGIN  # litellm asks the server there about the model, whatever api_base says

PACKAGES = ["litellm"]
SHOWN = ["litellm", "openai"]
CASES = ["completion", "completion_stream", "completion_async", "completion_async_stream", "anthropic", "ollama"]
MODELS = {"anthropic": ("anthropic/m", f"{ORIGIN}"), "ollama": ("ollama_chat/m", ORIGIN)}


def run(case, feedback):
    """One conversation."""
    if "async" in case:
        return asyncio.run(task.aloop(lambda sent: asked(case, sent), case, feedback=feedback))
    return task.loop(lambda sent: ask(case, sent), case, feedback=feedback)


def options(case, sent):
    model, base = MODELS.get(case, ("openai/m", f"{ORIGIN}/v1"))
    return {"model": model, "api_base": base, "api_key": "test", "messages": sent, "stream": case.endswith("stream")}


def ask(case, sent):
    import litellm

    done = litellm.completion(**options(case, sent))
    if case.endswith("stream"):
        return "".join(p.choices[0].delta.content or "" for p in done)
    return done.choices[0].message.content


async def asked(case, sent):
    import litellm

    done = await litellm.acompletion(**options(case, sent))
    if case.endswith("stream"):
        return "".join([p.choices[0].delta.content or "" async for p in done])
    return done.choices[0].message.content
