"""Source code of the apps that the integration tests run: raw SDK loops, correct or with a classic bug."""

ASK = '''
"""One function a provider and style: messages in, the answer's text out."""
import os
from contextlib import contextmanager
from functools import lru_cache

ORIGIN = os.environ["LOOKALIKE"]
LIMIT = 500


@contextmanager
def using(max_tokens):
    """A smaller token limit for a while."""
    global LIMIT
    before, LIMIT = LIMIT, max_tokens
    yield
    LIMIT = before


def kept(make):
    """A client is costly to make; an async one belongs to the event loop of its test."""
    cached = lru_cache(make)
    return lambda kind: make(kind) if kind.startswith("Async") else cached(kind)


@kept
def openai_client(kind):
    import openai
    return getattr(openai, kind)(base_url=ORIGIN + "/v1", api_key="test", max_retries=1)


@kept
def anthropic_client(kind):
    import anthropic
    return getattr(anthropic, kind)(base_url=ORIGIN, api_key="test", max_retries=1)


def plain(messages):
    """The same without any SDK, quick to import."""
    import httpx2
    body, headers = {"model": "m", "messages": messages}, {"authorization": "Bearer test"}
    answered = httpx2.post(ORIGIN + "/v1/chat/completions", json=body, headers=headers, verify=False)
    return answered.json()["choices"][0]["message"]["content"]


def chat(messages):
    done = openai_client("OpenAI").chat.completions.create(model="m", messages=messages, max_tokens=LIMIT)
    return done.choices[0].message.content


def chat_stream(messages):
    parts = openai_client("OpenAI").chat.completions.create(model="m", messages=messages, stream=True)
    return "".join(p.choices[0].delta.content or "" for p in parts if p.choices)


async def chat_async(messages):
    done = await openai_client("AsyncOpenAI").chat.completions.create(model="m", messages=messages)
    return done.choices[0].message.content


async def chat_async_stream(messages):
    parts = await openai_client("AsyncOpenAI").chat.completions.create(model="m", messages=messages, stream=True)
    return "".join([p.choices[0].delta.content or "" async for p in parts if p.choices])


def responses(messages):
    return openai_client("OpenAI").responses.create(model="m", input=messages, max_output_tokens=LIMIT).output_text


def responses_stream(messages):
    events = openai_client("OpenAI").responses.create(model="m", input=messages, stream=True)
    return "".join(e.delta for e in events if e.type == "response.output_text.delta")


async def responses_async(messages):
    return (await openai_client("AsyncOpenAI").responses.create(model="m", input=messages)).output_text


async def responses_async_stream(messages):
    events = await openai_client("AsyncOpenAI").responses.create(model="m", input=messages, stream=True)
    return "".join([e.delta async for e in events if e.type == "response.output_text.delta"])


def messages(messages):
    done = anthropic_client("Anthropic").messages.create(model="m", max_tokens=LIMIT, messages=messages)
    return done.content[0].text


def messages_stream(messages):
    with anthropic_client("Anthropic").messages.stream(model="m", max_tokens=500, messages=messages) as stream:
        return stream.get_final_text()


async def messages_async(messages):
    done = await anthropic_client("AsyncAnthropic").messages.create(model="m", max_tokens=500, messages=messages)
    return done.content[0].text


async def messages_async_stream(messages):
    async with anthropic_client("AsyncAnthropic").messages.stream(
        model="m", max_tokens=500, messages=messages
    ) as stream:
        return await stream.get_final_text()


SYNC = [chat, chat_stream, responses, responses_stream, messages, messages_stream]
ASYNC = [chat_async, chat_async_stream, responses_async, responses_async_stream, messages_async, messages_async_stream]
'''
APPS = '''
"""A careful app, and apps with one bug each. All keep their own loop."""
from pydantic import ValidationError

from contracts import Ticket

INTRO = "Write a ticket as JSON with title, priority and steps. Task: "


def check(text):
    """The errors of an answer, one line each; none for a good one."""
    try:
        Ticket.model_validate_json(text)
    except ValidationError as error:
        return ["- " + ".".join(map(str, e["loc"])) + ": " + e["msg"] for e in error.errors()]
    return []


def first(task):
    return [{"role": "user", "content": INTRO + task}]


def again(messages, text, errors):
    said = "Your answer is not valid:\\n" + "\\n".join(errors) + "\\nReturn the corrected JSON only."
    return [*messages, {"role": "assistant", "content": text}, {"role": "user", "content": said}]


def careful(ask, task, attempts=3):
    messages = first(task)
    for _ in range(attempts):
        text = ask(messages)
        errors = check(text)
        if not errors:
            return text
        messages = again(messages, text, errors)
    return None


async def careful_async(ask, task, attempts=3):
    messages = first(task)
    for _ in range(attempts):
        text = await ask(messages)
        errors = check(text)
        if not errors:
            return text
        messages = again(messages, text, errors)
    return None


def resends(ask, task):
    """The retry sends the same prompt."""
    for _ in range(2):
        text = ask(first(task))
        if not check(text):
            break
    return text


def mixes_up(ask, one, other):
    """The feedback of each conversation lands in the other one."""
    tasks = [first(one), first(other)]
    texts = [ask(messages) for messages in tasks]
    errors = [check(text) for text in texts]
    return [ask(again(tasks[n], texts[n], errors[1 - n])) for n in (0, 1)]


def first_only(ask, task):
    """The retry names the first error and drops the rest."""
    messages = first(task)
    for _ in range(3):
        text = ask(messages)
        errors = check(text)
        if not errors:
            break
        messages = again(messages, text, errors[:1])
    return text


def repairs(ask, task):
    """An answer that was cut off is closed by hand and taken."""
    text = ask(first(task))
    return text + '"}'


def swallows(ask, task):
    """Whatever goes wrong becomes a fallback."""
    try:
        return careful(ask, task)
    except Exception:
        return "{}"
'''
