"""AutoGen: an agent whose tool raises and that closes with a sentence; output_content_type in a loop of one's own."""

import asyncio

from task import ORIGIN, Loose, aloop, prompt, saver

PACKAGES = ["autogen-agentchat", "autogen-ext[openai]"]
SHOWN = ["autogen-agentchat", "autogen-ext", "openai"]
SCRIPTS = {"agent": {"tool": "save_ticket", "closing": "I have saved the ticket."}}
CASES = ["agent", "output_content_type"]


def client():
    from autogen_ext.models.openai import OpenAIChatCompletionClient

    knows = ("function_calling", "json_output", "structured_output")
    info = {**dict.fromkeys(knows, True), "vision": False, "family": "unknown"}
    return OpenAIChatCompletionClient(
        model="m", base_url=f"{ORIGIN}/v1", api_key="test", max_retries=0, model_info=info
    )


def run(case, feedback):
    """The agent's tool iterations, or a task for each attempt."""
    return asyncio.run(agent(case, feedback) if case == "agent" else typed(case, feedback))


async def agent(case, feedback):
    from autogen_agentchat.agents import AssistantAgent

    tool = saver(feedback, ValueError)
    made = AssistantAgent("clerk", model_client=client(), tools=[tool], max_tool_iterations=4)
    return (await made.run(task=prompt(case))).messages[-1].to_text()


async def typed(case, feedback):
    from autogen_agentchat.agents import AssistantAgent

    made = AssistantAgent("clerk", model_client=client(), output_content_type=Loose)

    async def ask(messages):
        done = await made.run(task=messages[-1]["content"])
        return done.messages[-1].content.model_dump_json()

    return await aloop(ask, case, feedback=feedback)
