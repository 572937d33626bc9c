"""mirascope: response.validate() in its formatting modes."""

from functools import cache

from task import ORIGIN, Ticket, prompt

PACKAGES = ["mirascope[openai,anthropic]"]
SHOWN = ["mirascope", "openai", "anthropic"]
SCRIPTS = {
    "tool": {"tool": "__mirascope_formatted_output_tool__"},
    "anthropic_tool": {"tool": "__mirascope_formatted_output_tool__"},
}
CASES = ["tool", "json", "strict", "responses_strict", "anthropic_tool"]


@cache
def providers():
    from mirascope import llm

    llm.register_provider("openai", base_url=f"{ORIGIN}/v1", api_key="test")
    llm.register_provider("anthropic", base_url=ORIGIN, api_key="test")


def run(case, feedback):
    """validate() resumes with what is wrong; without it each try is a call of its own."""
    from mirascope import llm

    providers()
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
