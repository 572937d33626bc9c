"""Haystack: an agent whose tool raises and that closes with a sentence; a validator component that loops back."""

from task import ORIGIN, errors, prompt, saver

PACKAGES = ["haystack-ai"]
SHOWN = ["haystack-ai", "openai"]
SCRIPTS = {"agent": {"tool": "save_ticket", "closing": "I have saved the ticket."}}
CASES = ["agent", "output_validator"]
TEMPLATE = """{{ task }}. Answer with JSON only.
{% if replies %}
You wrote: {{ replies[0].text }}
{{ wrong }}
Correct it.
{% endif %}
"""


def generator():
    from haystack.components.generators.chat import OpenAIChatGenerator
    from haystack.utils import Secret

    key = Secret.from_token("test")
    return OpenAIChatGenerator(model="m", api_base_url=f"{ORIGIN}/v1", api_key=key, max_retries=0)


def run(case, feedback):
    """The agent sends what its tool raised; in a pipeline the validator's output goes to the prompt builder."""
    if case == "agent":
        return agent(case, feedback)
    made = pipeline(feedback)
    return made.run({"prompt": {"task": prompt(case)}})["validator"]["valid"]


def agent(case, feedback):
    from haystack.components.agents import Agent
    from haystack.dataclasses import ChatMessage
    from haystack.tools import create_tool_from_function

    tool = create_tool_from_function(saver(feedback, ValueError))
    made = Agent(chat_generator=generator(), tools=[tool], max_agent_steps=5, raise_on_tool_invocation_failure=False)
    return made.run(messages=[ChatMessage.from_user(prompt(case))])["messages"][-1].text


def pipeline(feedback):
    from haystack import Pipeline, component
    from haystack.components.builders import ChatPromptBuilder
    from haystack.dataclasses import ChatMessage

    @component
    class Validator:
        @component.output_types(valid=str, replies=list[ChatMessage], wrong=str)
        def run(self, replies: list[ChatMessage]):
            wrong = errors(replies[0].text)
            if not wrong:
                return {"valid": replies[0].text}
            return {"replies": replies, "wrong": wrong if feedback else "Please try again."}

    made = Pipeline(max_runs_per_component=3)
    made.add_component("prompt", ChatPromptBuilder([ChatMessage.from_user(TEMPLATE)], required_variables=["task"]))
    made.add_component("model", generator())
    made.add_component("validator", Validator())
    made.connect("prompt.prompt", "model.messages")
    made.connect("model.replies", "validator.replies")
    made.connect("validator.replies", "prompt.replies")
    made.connect("validator.wrong", "prompt.wrong")
    return made
