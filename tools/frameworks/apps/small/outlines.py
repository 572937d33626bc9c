"""Outlines over an API: a chat in a loop of one's own."""

from task import ORIGIN, Loose, loop

PACKAGES = ["outlines", "openai"]
CASES = ["chat"]


def run(case, feedback):
    """The provider constrains the answer's shape; what the shape cannot say is for the app to check."""
    import openai
    import outlines
    from outlines.inputs import Chat

    model = outlines.from_openai(openai.OpenAI(base_url=f"{ORIGIN}/v1", api_key="test", max_retries=0), "m")
    return loop(lambda messages: model(Chat(messages), Loose), case, feedback=feedback)
