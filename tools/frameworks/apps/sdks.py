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


def chat(client, sent):
    return client.chat.completions.create(model="m", messages=sent).choices[0].message.content


def chat_stream(client, sent):
    parts = client.chat.completions.create(model="m", messages=sent, stream=True)
    return "".join(p.choices[0].delta.content or "" for p in parts)


async def chat_async(client, sent):
    return (await client.chat.completions.create(model="m", messages=sent)).choices[0].message.content


def openai_client(kind, **options):
    import openai

    return getattr(openai, kind)(base_url=f"{ORIGIN}/v1", api_key="test", **options)


def openai_chat(sent):
    return chat(openai_client("OpenAI"), sent)


def openai_chat_stream(sent):
    return chat_stream(openai_client("OpenAI"), sent)


async def openai_chat_async(sent):
    return await chat_async(openai_client("AsyncOpenAI"), sent)


async def openai_chat_async_stream(sent):
    parts = await openai_client("AsyncOpenAI").chat.completions.create(model="m", messages=sent, stream=True)
    return "".join([p.choices[0].delta.content or "" async for p in parts])


async def openai_aiohttp_async(sent):
    import openai

    async with openai_client("AsyncOpenAI", http_client=openai.DefaultAioHttpClient()) as client:
        return await chat_async(client, sent)


def openai_responses(sent):
    return openai_client("OpenAI").responses.create(model="m", input=sent).output_text


def openai_responses_stream(sent):
    events = openai_client("OpenAI").responses.create(model="m", input=sent, stream=True)
    return "".join(e.delta for e in events if e.type == "response.output_text.delta")


def azure_chat(sent):
    import openai

    return chat(openai.AzureOpenAI(azure_endpoint=ORIGIN, api_key="test", api_version="2026-01-01"), sent)


def anthropic_client(kind="Anthropic"):
    import anthropic

    return getattr(anthropic, kind)(base_url=ORIGIN, api_key="test")


def anthropic_messages(sent):
    return anthropic_client().messages.create(model="m", max_tokens=500, messages=sent).content[0].text


def anthropic_messages_stream(sent):
    with anthropic_client().messages.stream(model="m", max_tokens=500, messages=sent) as stream:
        return stream.get_final_text()


async def anthropic_messages_async(sent):
    client = anthropic_client("AsyncAnthropic")
    return (await client.messages.create(model="m", max_tokens=500, messages=sent)).content[0].text


async def anthropic_messages_async_stream(sent):
    client = anthropic_client("AsyncAnthropic")
    async with client.messages.stream(model="m", max_tokens=500, messages=sent) as stream:
        return await stream.get_final_text()


def google_client(**options):
    from google import genai

    return genai.Client(api_key="test", http_options={"base_url": ORIGIN, **options})


def contents(sent):
    role = {"assistant": "model"}
    return [{"role": role.get(m["role"], "user"), "parts": [{"text": m["content"]}]} for m in sent]


def google_generate(sent):
    return google_client().models.generate_content(model="m", contents=contents(sent)).text


def google_generate_stream(sent):
    parts = google_client().models.generate_content_stream(model="m", contents=contents(sent))
    return "".join(p.text or "" for p in parts)


async def google_generate_async(sent):
    return (await google_client().aio.models.generate_content(model="m", contents=contents(sent))).text


async def google_generate_async_stream(sent):
    parts = await google_client().aio.models.generate_content_stream(model="m", contents=contents(sent))
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


def groq_client(kind):
    import groq

    return getattr(groq, kind)(base_url=ORIGIN, api_key="test")


def groq_chat(sent):
    return chat(groq_client("Groq"), sent)


def groq_chat_stream(sent):
    return chat_stream(groq_client("Groq"), sent)


async def groq_chat_async(sent):
    return await chat_async(groq_client("AsyncGroq"), sent)


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


def cohere_client(kind="ClientV2"):
    import cohere

    return getattr(cohere, kind)(api_key="test", base_url=ORIGIN)


def cohere_chat(sent):
    return cohere_client().chat(model="m", messages=sent).message.content[0].text


def cohere_chat_stream(sent):
    events = cohere_client().chat_stream(model="m", messages=sent)
    return "".join(e.delta.message.content.text for e in events if e.type == "content-delta")


async def cohere_chat_async(sent):
    return (await cohere_client("AsyncClientV2").chat(model="m", messages=sent)).message.content[0].text


async def cohere_chat_async_stream(sent):
    events = cohere_client("AsyncClientV2").chat_stream(model="m", messages=sent)
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
