"""magentic: a chain of calls that closes with a sentence, and a chat in a loop of one's own."""

from task import ORIGIN, Loose, loop, prompt, saver

PACKAGES = ["magentic"]
SHOWN = ["magentic", "openai"]
SCRIPTS = {
    "prompt_chain": {"tool": "save_ticket", "closing": "I have saved the ticket."},
    "chat": {"tool": "return_loose"},
}
CASES = ["chat", "prompt_chain"]


def model():
    from magentic import OpenaiChatModel

    return OpenaiChatModel("m", base_url=f"{ORIGIN}/v1", api_key="test")


def run(case, feedback):
    """The chain sends a function's result by itself; the chat is the app's."""
    if case == "prompt_chain":
        from magentic import prompt_chain

        @prompt_chain(prompt(case), functions=[saver(feedback)], model=model(), max_calls=4)
        def save() -> str: ...

        return save()
    from magentic import AssistantMessage, Chat, UserMessage

    def ask(messages):
        kinds = {"user": UserMessage, "assistant": lambda text: AssistantMessage(Loose.model_validate_json(text))}
        told = [kinds[m["role"]](m["content"]) for m in messages]
        return Chat(told, output_types=[Loose], model=model()).submit().last_message.content.model_dump_json()

    return loop(ask, case, feedback=feedback)
