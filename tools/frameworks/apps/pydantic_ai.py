"""pydantic-ai: output tools, native and prompted output, output validators, ModelRetry in a tool."""

import asyncio

from task import ORIGIN, Ticket, prompt

PACKAGES = ["pydantic-ai-slim[openai,anthropic,google]"]
SHOWN = ["pydantic-ai-slim", "openai", "anthropic", "google-genai"]
SCRIPTS = {
    "output_tool": {"tool": "final_result"},
    "output_tool_stream": {"tool": "final_result"},
    "output_validator": {
        "tool": "final_result",
        "good": {"title": "Printer on fire", "priority": "high", "steps": ["look"]},
        "bad": {"title": "Printer", "priority": "high", "steps": ["look"]},
    },
    "responses": {"tool": "final_result"},
    "anthropic": {"tool": "final_result"},
    "google": {"tool": "final_result"},
    "model_retry": {
        "tool": "file_ticket",
        "good": {"title": "Printer on fire", "priority": "high", "steps": ["look"]},
        "bad": {"title": "Printer", "priority": "high", "steps": ["look"]},
    },
}
CONTRACTS = {"output_validator": "LONG_TITLE", "model_retry": "LONG_TITLE"}
CASES = [
    "output_tool", "output_tool_stream", "native", "prompted", "output_validator", "model_retry", "responses",
    "anthropic", "google",
]  # fmt: skip


def model(case):
    if case == "anthropic":
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

        return AnthropicModel("m", provider=AnthropicProvider(api_key="test", base_url=ORIGIN))
    if case == "google":
        from pydantic_ai.models.google import GoogleModel
        from pydantic_ai.providers.google import GoogleProvider

        return GoogleModel("m", provider=GoogleProvider(api_key="test", base_url=ORIGIN))
    from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
    from pydantic_ai.providers.openai import OpenAIProvider

    kind = OpenAIResponsesModel if case == "responses" else OpenAIChatModel
    return kind("m", provider=OpenAIProvider(base_url=f"{ORIGIN}/v1", api_key="test"))


def agent(case, retries, told):
    from pydantic_ai import Agent, ModelRetry, NativeOutput, PromptedOutput

    kinds = {"native": NativeOutput(Ticket), "prompted": PromptedOutput(Ticket), "model_retry": str}
    made = Agent(model(case), output_type=kinds.get(case, Ticket), retries=retries)

    def demand(title):
        if len(title) < 10:
            raise ModelRetry("title: expected at least 10 characters" if told else "That is not good enough.")

    if case == "output_validator":

        @made.output_validator
        def long_title(ticket: Ticket) -> Ticket:
            demand(ticket.title)
            return ticket

    if case == "model_retry":

        @made.tool_plain
        def file_ticket(title: str, priority: str, steps: list[str]) -> str:
            demand(title)
            raise Filed(title, priority, steps)

    return made


class Filed(Exception):
    """The ticket is filed; nothing more is to be asked."""


def run(case, feedback):
    """With feedback the framework re-asks; without it each try is a run of its own, or the validator says nothing."""
    worded = case in CONTRACTS
    if feedback or worded:
        return once(case, retries=2, told=feedback)
    for _ in range(3):
        try:
            return once(case, retries=0, told=False)
        except Exception:
            continue
    return None


def once(case, retries, told):
    made = agent(case, retries, told)
    if case.endswith("_stream"):
        return asyncio.run(streamed(made, prompt(case)))
    try:
        return made.run_sync(prompt(case)).output
    except Filed as filed:
        return filed.args


async def streamed(made, text):
    async with made.iter(text) as running:
        async for node in running:
            if made.is_model_request_node(node):
                async with node.stream(running.ctx) as parts:
                    async for _ in parts:
                        pass
    return running.result.output
