"""Strands: an agent whose tool raises and that closes with a sentence, over OpenAI and over Anthropic."""

from task import ORIGIN, prompt, saver

PACKAGES = ["strands-agents[openai,anthropic]"]
SHOWN = ["strands-agents", "openai", "anthropic"]
SCRIPTS = {
    "agent_openai": {"tool": "save_ticket", "closing": "I have saved the ticket."},
    "agent_anthropic": {"tool": "save_ticket", "closing": "I have saved the ticket."},
}
CASES = ["agent_anthropic", "agent_openai"]


def model(case):
    if case == "agent_anthropic":
        from strands.models.anthropic import AnthropicModel

        client = {"api_key": "test", "base_url": ORIGIN, "max_retries": 0}
        return AnthropicModel(client_args=client, model_id="m", max_tokens=1000)
    from strands.models.openai import OpenAIModel

    client = {"api_key": "test", "base_url": f"{ORIGIN}/v1", "max_retries": 0}
    return OpenAIModel(client_args=client, model_id="m")


def run(case, feedback):
    """The event loop sends what the tool raised as its result."""
    from strands import Agent, tool

    return str(Agent(model=model(case), tools=[tool(saver(feedback, ValueError))], callback_handler=None)(prompt(case)))
