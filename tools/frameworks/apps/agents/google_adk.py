"""Google's Agent Development Kit: an agent whose tool reports errors and that closes with a sentence; a typed agent."""

import asyncio
import os

from task import ORIGIN, Loose, aloop, prompt, saver

PACKAGES = ["google-adk"]
SHOWN = ["google-adk", "google-genai"]
SCRIPTS = {"agent": {"tool": "save_ticket", "closing": "I have saved the ticket."}}
CASES = ["agent", "output_schema"]


def model():
    from google.adk.models.google_llm import Gemini

    os.environ.setdefault("GOOGLE_API_KEY", "test")
    return Gemini(model="gemini-2.5-flash", base_url=ORIGIN)


def run(case, feedback):
    """A session: each message of the app is a turn."""
    return asyncio.run(agent(case, feedback) if case == "agent" else typed(case, feedback))


async def agent(case, feedback):
    from google.adk.agents import LlmAgent

    ask = await session(LlmAgent(name="clerk", model=model(), instruction="Save tickets.", tools=[saver(feedback)]))
    return await ask([{"content": prompt(case)}])


async def typed(case, feedback):
    from google.adk.agents import LlmAgent

    ask = await session(LlmAgent(name="clerk", model=model(), instruction="Write tickets.", output_schema=Loose))
    return await aloop(ask, case, feedback=feedback)


async def session(made):
    from google.adk.runners import InMemoryRunner
    from google.genai import types

    runner = InMemoryRunner(agent=made, app_name="desk")
    opened = await runner.session_service.create_session(app_name="desk", user_id="u")

    async def ask(messages):
        text = types.Content(role="user", parts=[types.Part(text=messages[-1]["content"])])
        said = ""
        async for event in runner.run_async(user_id="u", session_id=opened.id, new_message=text):
            for part in event.content.parts if event.content else ():
                said = part.text or said
        return said

    return ask
