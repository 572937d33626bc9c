"""instructor over the providers' own SDKs, in each mode that it has for them."""

import instructor_loop
from task import ORIGIN

PACKAGES = ["instructor[mistral,groq,cohere,bedrock,cerebras-cloud-sdk]", "fireworks-ai<1"]
SHOWN = ["instructor", "mistralai", "groq", "cohere", "boto3", "cerebras-cloud-sdk", "fireworks-ai", "openai"]
SCRIPTS = {
    "mistral_tools": {"tool": "Ticket"},
    "groq_tools": {"tool": "Ticket"},
    "bedrock_tools": {"tool": "Ticket"},
    "cerebras_tools": {"tool": "Ticket"},
    "fireworks_tools": {"tool": "Ticket"},
}
CASES = [
    "mistral_tools", "mistral_json_schema", "mistral_md_json",
    "groq_tools", "groq_md_json",
    "cohere_json_schema", "cohere_md_json",
    "bedrock_tools", "bedrock_md_json",
    "cerebras_tools", "cerebras_md_json",
    "fireworks_tools", "fireworks_md_json",
    "perplexity_md_json", "openrouter_json_schema",
]  # fmt: skip


def mistral():
    from mistralai.client import Mistral

    return Mistral(api_key="test", server_url=ORIGIN)


def groq():
    import groq

    return groq.Groq(base_url=ORIGIN, api_key="test")


def cohere():
    import cohere

    return cohere.ClientV2(api_key="test", base_url=ORIGIN)


def bedrock():
    import boto3

    keys = {"aws_access_key_id": "test", "aws_secret_access_key": "test"}
    return boto3.client("bedrock-runtime", endpoint_url=ORIGIN, region_name="us-east-1", **keys)


def cerebras():
    from cerebras.cloud.sdk import Cerebras

    return Cerebras(base_url=ORIGIN, api_key="test", warm_tcp_connection=False)


def fireworks():
    from fireworks.client import Fireworks

    return Fireworks(base_url=f"{ORIGIN}/v1", api_key="test")


def perplexity():
    import openai

    return openai.OpenAI(base_url=f"{ORIGIN}/v1", api_key="test")


openrouter = perplexity


def client(case):
    import instructor

    provider, _, mode = case.partition("_")
    wrap = getattr(instructor, f"from_{provider}")
    return wrap(globals()[provider](), mode=instructor.Mode[mode.upper()])


def run(case, feedback):
    """One conversation."""
    return instructor_loop.run(client, case, feedback)
