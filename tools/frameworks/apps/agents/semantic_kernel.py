"""Semantic Kernel: an agent with a plugin that closes with a sentence; a chat history in a loop of one's own."""

import asyncio

from task import ORIGIN, Loose, aloop, prompt, saver

PACKAGES = ["semantic-kernel"]
SHOWN = ["semantic-kernel", "openai"]
SCRIPTS = {"agent": {"tool": "desk-save_ticket", "closing": "I have saved the ticket."}}
CASES = ["agent", "response_format"]


def run(case, feedback):
    """The agent calls its plugin by itself; the history is the app's."""
    return asyncio.run(agent(case, feedback) if case == "agent" else history(case, feedback))


def service():
    from openai import AsyncOpenAI
    from semantic_kernel.connectors.ai.open_ai import OpenAIChatCompletion

    client = AsyncOpenAI(base_url=f"{ORIGIN}/v1", api_key="test", max_retries=0)
    return OpenAIChatCompletion(ai_model_id="m", async_client=client)


async def agent(case, feedback):
    from semantic_kernel.agents import ChatCompletionAgent
    from semantic_kernel.functions import KernelPlugin, kernel_function

    tool = kernel_function(name="save_ticket", description="Save a ticket.")(saver(feedback))
    plugin = KernelPlugin(name="desk", functions=[tool])
    made = ChatCompletionAgent(service=service(), name="clerk", instructions="Save tickets.", plugins=[plugin])
    return str(await made.get_response(messages=prompt(case)))


async def history(case, feedback):
    from semantic_kernel.connectors.ai.open_ai import OpenAIChatPromptExecutionSettings
    from semantic_kernel.contents import ChatHistory, ChatMessageContent

    chat, settings = service(), OpenAIChatPromptExecutionSettings(response_format=Loose)

    async def ask(messages):
        told = ChatHistory(messages=[ChatMessageContent(role=m["role"], content=m["content"]) for m in messages])
        return str(await chat.get_chat_message_content(told, settings))

    return await aloop(ask, case, feedback=feedback)
