"""Agno: an agent whose tool raises RetryAgentRun and that closes with a sentence; output_schema in a loop."""

from task import ORIGIN, Loose, loop, prompt, saver

PACKAGES = ["agno", "openai"]
SCRIPTS = {"agent": {"tool": "save_ticket", "closing": "I have saved the ticket."}}
CASES = ["agent", "output_schema"]


def model():
    from agno.models.openai import OpenAIChat

    return OpenAIChat(id="m", base_url=f"{ORIGIN}/v1", api_key="test", max_retries=0)


def run(case, feedback):
    """The agent asks again by itself; with a schema the app does."""
    from agno.agent import Agent

    if case == "agent":
        from agno.exceptions import RetryAgentRun

        tool = saver(feedback, RetryAgentRun)
        return Agent(model=model(), tools=[tool], telemetry=False, tool_call_limit=4).run(prompt(case)).content
    from agno.models.message import Message

    made = Agent(model=model(), output_schema=Loose, telemetry=False)

    def ask(messages):
        return made.run([Message(**message) for message in messages]).content.model_dump_json()

    return loop(ask, case, feedback=feedback)
