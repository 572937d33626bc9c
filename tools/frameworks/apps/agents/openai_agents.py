"""OpenAI's Agents SDK: agents whose tools reject and that close with a sentence; output_type in a loop of one's own."""

import asyncio

from task import ORIGIN, SAVED, Loose, aloop, complaints, prompt, saver

PACKAGES = ["openai-agents"]
SHOWN = ["openai-agents", "openai"]
SCRIPTS = {
    "agent_chat": {"tool": "save_ticket", "closing": "I have saved the ticket."},
    "agent_responses": {"tool": "save_ticket", "closing": "I have saved the ticket."},
    "agent_one_parameter": {
        "tool": "save_ticket",
        "closing": "I have saved the ticket.",
        "good": {"ticket": {"title": "Printer", "priority": "high", "steps": ["look", "restart"]}},
        "bad": {"ticket": {"title": "Printer", "priority": "hi", "steps": []}},
    },
}
CONTRACTS = {"agent_one_parameter": "FIELD"}
CASES = ["agent_chat", "agent_one_parameter", "agent_responses", "output_type"]


def model(case):
    from agents import OpenAIChatCompletionsModel, OpenAIResponsesModel, set_tracing_disabled
    from openai import AsyncOpenAI

    set_tracing_disabled(True)
    client = AsyncOpenAI(base_url=f"{ORIGIN}/v1", api_key="test", max_retries=0)
    kind = OpenAIResponsesModel if case == "agent_responses" else OpenAIChatCompletionsModel
    return kind(model="m", openai_client=client)


def run(case, feedback):
    """The runner sends a tool's result; with an output type the app asks again."""
    return asyncio.run(typed(case, feedback) if case == "output_type" else agent(case, feedback))


async def agent(case, feedback):
    from agents import Agent, Runner, function_tool

    tool = one_parameter(feedback) if case == "agent_one_parameter" else saver(feedback)
    made = Agent(name="clerk", model=model(case), tools=[function_tool(tool)])
    return (await Runner.run(made, prompt(case), max_turns=5)).final_output


def one_parameter(feedback):
    complaint = complaints(feedback)

    def save_ticket(ticket: Loose) -> str:
        """Save a ticket."""
        return complaint(ticket.model_dump_json()) or SAVED

    return save_ticket


async def typed(case, feedback):
    from agents import Agent, Runner

    made = Agent(name="clerk", model=model(case), output_type=Loose)

    async def ask(messages):
        return (await Runner.run(made, messages)).final_output.model_dump_json()

    return await aloop(ask, case, feedback=feedback)
