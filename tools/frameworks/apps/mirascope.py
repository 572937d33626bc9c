"""mirascope: response.validate() in its formatting modes, and a tool after which the model closes with a sentence."""

from functools import cache

from task import ORIGIN, Ticket, prompt, saver

PACKAGES = ["mirascope[openai,anthropic]"]
SHOWN = ["mirascope", "openai", "anthropic"]
SCRIPTS = {
    "agent": {"tool": "save_ticket", "closing": "I have saved the ticket."},
    "tool": {"tool": "__mirascope_formatted_output_tool__"},
    "anthropic_tool": {"tool": "__mirascope_formatted_output_tool__"},
}
CASES = ["agent", "tool", "json", "strict", "responses_strict", "anthropic_tool"]


@cache
def providers():
    from mirascope import llm

    llm.register_provider("openai", base_url=f"{ORIGIN}/v1", api_key="test")
    llm.register_provider("anthropic", base_url=ORIGIN, api_key="test")


def run(case, feedback):
    """validate() resumes with what is wrong; without it each try is a call of its own."""
    from mirascope import llm

    providers()
    if case == "agent":
        return agent(case, feedback)
    kind = case.rpartition("_")[2]
    model = {"anthropic_tool": "anthropic/m", "responses_strict": "openai/m:responses"}.get(
        case, "openai/m:completions"
    )

    @llm.call(model, format=llm.format(Ticket, mode=kind))
    def ask():
        return prompt(case)

    if feedback:
        return ask().validate(max_retries=2)[0]
    for _ in range(3):
        try:
            return ask().parse()
        except llm.ParseError:
            continue
    return None


def agent(case, feedback):
    from mirascope import llm

    @llm.call("openai/m:completions", tools=[llm.tool(saver(feedback))])
    def ask():
        return prompt(case)

    done = ask()
    while done.tool_calls:
        done = done.resume(done.execute_tools())
    return done.text()
