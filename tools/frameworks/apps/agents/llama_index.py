"""LlamaIndex: an agent whose tool raises and that closes with a sentence; a structured model in a loop of one's own."""

import asyncio

from task import ORIGIN, Loose, loop, prompt, saver

PACKAGES = ["llama-index-core", "llama-index-llms-openai-like"]
SHOWN = ["llama-index-core", "llama-index-llms-openai-like", "openai"]
SCRIPTS = {"agent": {"tool": "save_ticket", "closing": "I have saved the ticket."}, "structured_llm": {"tool": "Loose"}}
CASES = ["agent", "structured_llm"]


def model():
    from llama_index.llms.openai_like import OpenAILike

    kind = {"is_chat_model": True, "is_function_calling_model": True, "max_retries": 0}
    return OpenAILike(model="m", api_base=f"{ORIGIN}/v1", api_key="test", **kind)


def run(case, feedback):
    """The workflow's own loop around the tool, or an app's around the model."""
    if case == "agent":
        return asyncio.run(agent(case, feedback))
    from llama_index.core.llms import ChatMessage

    structured = model().as_structured_llm(Loose)

    def ask(messages):
        return structured.chat([ChatMessage(**message) for message in messages]).raw.model_dump_json()

    return loop(ask, case, feedback=feedback)


async def agent(case, feedback):
    from llama_index.core.agent.workflow import FunctionAgent
    from llama_index.core.tools import FunctionTool

    tool = FunctionTool.from_defaults(saver(feedback, ValueError))
    return str(await FunctionAgent(tools=[tool], llm=model(), streaming=False).run(prompt(case)))
