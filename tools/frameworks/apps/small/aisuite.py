"""aisuite: automatic tool calls that close with a sentence, and a loop of one's own."""

from task import ORIGIN, loop, prompt, saver

PACKAGES = ["aisuite[openai]"]
SHOWN = ["aisuite", "openai"]
SCRIPTS = {"max_turns": {"tool": "save_ticket", "closing": "I have saved the ticket."}}
CASES = ["completions", "max_turns"]


def run(case, feedback):
    """With `max_turns` the client calls the tools itself."""
    import aisuite

    client = aisuite.Client({"openai": {"api_key": "test", "base_url": f"{ORIGIN}/v1"}})

    def ask(sent, **more):
        done = client.chat.completions.create(model="openai:m", messages=sent, **more)
        return done.choices[0].message.content

    if case == "max_turns":
        return ask([{"role": "user", "content": prompt(case)}], tools=[saver(feedback)], max_turns=5)
    return loop(ask, case, feedback=feedback)
