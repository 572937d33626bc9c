"""Raw loops over the providers' SDKs: sync, async, streamed."""

import asyncio

import task
from task import ORIGIN

PACKAGES = [
    "openai", "anthropic", "google-genai", "mistralai", "groq", "ollama", "cohere", "boto3",
    "httpx", "httpx2", "requests", "aiohttp", "urllib3",
]  # fmt: skip
NOT_KEPT = ["async", "raw_", "azure"]
"""They say the same over the wire as their twins."""


def openai_client(kind):
    import openai

    return getattr(openai, kind)(base_url=f"{ORIGIN}/v1", api_key="test")


def openai_chat(sent):
    return openai_client("OpenAI").chat.completions.create(model="m", messages=sent).choices[0].message.content


def openai_chat_stream(sent):
    parts = openai_client("OpenAI").chat.completions.create(model="m", messages=sent, stream=True)
    return "".join(p.choices[0].delta.content or "" for p in parts)


async def openai_chat_async(sent):
    done = await openai_client("AsyncOpenAI").chat.completions.create(model="m", messages=sent)
    return done.choices[0].message.content


async def openai_chat_async_stream(sent):
    parts = await openai_client("AsyncOpenAI").chat.completions.create(model="m", messages=sent, stream=True)
    return "".join([p.choices[0].delta.content or "" async for p in parts])


async def openai_aiohttp_async(sent):
    import openai

    client = openai.AsyncOpenAI(base_url=f"{ORIGIN}/v1", api_key="test", http_client=openai.DefaultAioHttpClient())
    async with client:
        done = await client.chat.completions.create(model="m", messages=sent)
    return done.choices[0].message.content


def openai_responses(sent):
    return openai_client("OpenAI").responses.create(model="m", input=sent).output_text


def openai_responses_stream(sent):
    events = openai_client("OpenAI").responses.create(model="m", input=sent, stream=True)
    return "".join(e.delta for e in events if e.type == "response.output_text.delta")


def azure_chat(sent):
    import openai

    client = openai.AzureOpenAI(azure_endpoint=ORIGIN, api_key="test", api_version="2026-01-01")
    return client.chat.completions.create(model="m", messages=sent).choices[0].message.content


def anthropic_messages(sent):
    import anthropic

    client = anthropic.Anthropic(base_url=ORIGIN, api_key="test")
    return client.messages.create(model="m", max_tokens=500, messages=sent).content[0].text


def anthropic_messages_stream(sent):
    import anthropic

    client = anthropic.Anthropic(base_url=ORIGIN, api_key="test")
    with client.messages.stream(model="m", max_tokens=500, messages=sent) as stream:
        return stream.get_final_text()


async def anthropic_messages_async(sent):
    import anthropic

    client = anthropic.AsyncAnthropic(base_url=ORIGIN, api_key="test")
    return (await client.messages.create(model="m", max_tokens=500, messages=sent)).content[0].text


async def anthropic_messages_async_stream(sent):
    import anthropic

    client = anthropic.AsyncAnthropic(base_url=ORIGIN, api_key="test")
    async with client.messages.stream(model="m", max_tokens=500, messages=sent) as stream:
        return await stream.get_final_text()


def google_client(**options):
    from google import genai

    return genai.Client(api_key="test", http_options={"base_url": ORIGIN, **options})


def contents(sent):
    role = {"assistant": "model"}
    return [{"role": role.get(m["role"], "user"), "parts": [{"text": m["content"]}]} for m in sent]


def google_generate(sent):
    client = google_client()
    return client.models.generate_content(model="m", contents=contents(sent)).text


def google_generate_stream(sent):
    client = google_client()
    return "".join(p.text or "" for p in client.models.generate_content_stream(model="m", contents=contents(sent)))


async def google_generate_async(sent):
    client = google_client()
    return (await client.aio.models.generate_content(model="m", contents=contents(sent))).text


async def google_generate_async_stream(sent):
    client = google_client()
    parts = await client.aio.models.generate_content_stream(model="m", contents=contents(sent))
    return "".join([p.text or "" async for p in parts])


def mistral_client():
    from mistralai.client import Mistral

    return Mistral(api_key="test", server_url=ORIGIN)


def mistral_chat(sent):
    return mistral_client().chat.complete(model="m", messages=sent).choices[0].message.content


def mistral_chat_stream(sent):
    with mistral_client().chat.stream(model="m", messages=sent) as events:
        return "".join(e.data.choices[0].delta.content or "" for e in events)


async def mistral_chat_async(sent):
    return (await mistral_client().chat.complete_async(model="m", messages=sent)).choices[0].message.content


async def mistral_chat_async_stream(sent):
    events = await mistral_client().chat.stream_async(model="m", messages=sent)
    return "".join([e.data.choices[0].delta.content or "" async for e in events])


def groq_chat(sent):
    import groq

    client = groq.Groq(base_url=ORIGIN, api_key="test")
    return client.chat.completions.create(model="m", messages=sent).choices[0].message.content


def groq_chat_stream(sent):
    import groq

    parts = groq.Groq(base_url=ORIGIN, api_key="test").chat.completions.create(model="m", messages=sent, stream=True)
    return "".join(p.choices[0].delta.content or "" for p in parts)


async def groq_chat_async(sent):
    import groq

    client = groq.AsyncGroq(base_url=ORIGIN, api_key="test")
    return (await client.chat.completions.create(model="m", messages=sent)).choices[0].message.content


def ollama_chat(sent):
    import ollama

    return ollama.Client(host=ORIGIN).chat(model="m", messages=sent).message.content


def ollama_chat_stream(sent):
    import ollama

    return "".join(p.message.content for p in ollama.Client(host=ORIGIN).chat(model="m", messages=sent, stream=True))


async def ollama_chat_async(sent):
    import ollama

    return (await ollama.AsyncClient(host=ORIGIN).chat(model="m", messages=sent)).message.content


async def ollama_chat_async_stream(sent):
    import ollama

    parts = await ollama.AsyncClient(host=ORIGIN).chat(model="m", messages=sent, stream=True)
    return "".join([p.message.content async for p in parts])


def cohere_chat(sent):
    import cohere

    return cohere.ClientV2(api_key="test", base_url=ORIGIN).chat(model="m", messages=sent).message.content[0].text


def cohere_chat_stream(sent):
    import cohere

    events = cohere.ClientV2(api_key="test", base_url=ORIGIN).chat_stream(model="m", messages=sent)
    return "".join(e.delta.message.content.text for e in events if e.type == "content-delta")


async def cohere_chat_async(sent):
    import cohere

    client = cohere.AsyncClientV2(api_key="test", base_url=ORIGIN)
    return (await client.chat(model="m", messages=sent)).message.content[0].text


async def cohere_chat_async_stream(sent):
    import cohere

    events = cohere.AsyncClientV2(api_key="test", base_url=ORIGIN).chat_stream(model="m", messages=sent)
    return "".join([e.delta.message.content.text async for e in events if e.type == "content-delta"])


def bedrock_client():
    import boto3

    keys = {"aws_access_key_id": "test", "aws_secret_access_key": "test"}
    return boto3.client("bedrock-runtime", endpoint_url=ORIGIN, region_name="us-east-1", **keys)


def blocks(sent):
    return [{"role": m["role"], "content": [{"text": m["content"]}]} for m in sent]


def bedrock_converse(sent):
    done = bedrock_client().converse(modelId="m", messages=blocks(sent))
    return done["output"]["message"]["content"][0]["text"]


def bedrock_converse_stream(sent):
    events = bedrock_client().converse_stream(modelId="m", messages=blocks(sent))["stream"]
    return "".join(e["contentBlockDelta"]["delta"]["text"] for e in events if "contentBlockDelta" in e)


def invoked(sent):
    import json

    return json.dumps({"anthropic_version": "bedrock-2023-05-31", "max_tokens": 500, "messages": sent})


def bedrock_invoke(sent):
    import json

    done = bedrock_client().invoke_model(modelId="m", body=invoked(sent))
    return json.load(done["body"])["content"][0]["text"]


def bedrock_invoke_stream(sent):
    import json

    events = bedrock_client().invoke_model_with_response_stream(modelId="m", body=invoked(sent))["body"]
    read = [json.loads(e["chunk"]["bytes"]) for e in events]
    return "".join(e["delta"].get("text", "") for e in read if e["type"] == "content_block_delta")


URL = f"{ORIGIN}/v1/chat/completions"


def said(body):
    return body["choices"][0]["message"]["content"]


def raw_httpx(sent):
    import httpx

    return said(httpx.post(URL, json={"model": "m", "messages": sent}).json())


def raw_httpx2(sent):
    import httpx2

    return said(httpx2.post(URL, json={"model": "m", "messages": sent}).json())


def raw_requests(sent):
    import requests

    return said(requests.post(URL, json={"model": "m", "messages": sent}, timeout=9).json())


def raw_urllib3(sent):
    import urllib3

    return said(urllib3.request("POST", URL, json={"model": "m", "messages": sent}).json())


def raw_urllib(sent):
    import json
    from urllib.request import Request, urlopen

    body = json.dumps({"model": "m", "messages": sent}).encode()
    with urlopen(Request(URL, body, {"content-type": "application/json"})) as done:
        return said(json.load(done))


async def raw_aiohttp_async(sent):
    import aiohttp

    async with aiohttp.ClientSession() as session, session.post(URL, json={"model": "m", "messages": sent}) as done:
        return said(await done.json())


PREFIXES = ("openai_", "azure_", "anthropic_", "google_", "mistral_", "groq_", "ollama_", "cohere_", "bedrock_", "raw_")
HELPERS = ("_client",)
ASKS = {n: f for n, f in globals().items() if n.startswith(PREFIXES) and not n.endswith(HELPERS)}
CASES = list(ASKS)


def run(case, feedback):
    """One conversation."""
    ask = ASKS[case]
    if asyncio.iscoroutinefunction(ask):
        return asyncio.run(task.aloop(ask, case, feedback=feedback))
    return task.loop(ask, case, feedback=feedback)
