"""llm: a chain of tool calls that closes with a sentence, and a conversation with a schema in a loop of one's own."""

from task import ORIGIN, Loose, loop, prompt, saver

PACKAGES = ["llm"]
SHOWN = ["llm", "openai"]
SCRIPTS = {"chain": {"tool": "save_ticket", "closing": "I have saved the ticket."}}
CASES = ["chain", "conversation"]


def model():
    from llm.default_plugins.openai_models import Chat

    made = Chat("m", model_name="m", api_base=f"{ORIGIN}/v1", supports_schema=True, supports_tools=True)
    made.key = "test"
    return made


def run(case, feedback):
    """The chain sends what a tool raised; the conversation keeps what was said."""
    if case == "chain":
        return model().chain(prompt(case), tools=[saver(feedback, ValueError)], stream=False).text()
    talk = model().conversation()
    return loop(
        lambda messages: talk.prompt(messages[-1]["content"], schema=Loose, stream=False).text(),
        case,
        feedback=feedback,
    )
