"""instructor: its own re-ask loop in every mode that a loopback server can answer."""

import instructor_loop
from task import ORIGIN

PACKAGES = ["instructor[anthropic,google-genai]"]
SHOWN = ["instructor", "openai", "anthropic", "google-genai"]
SCRIPTS = {
    "tools": {"tool": "Ticket"},
    "tools_async": {"tool": "Ticket"},
    "tools_strict": {"tool": "Ticket"},
    "md_json": {"wrap": "```json\n{}\n```"},
    "responses_tools": {"tool": "Ticket"},
    "anthropic_tools": {"tool": "Ticket"},
    "genai_tools": {"tool": "Ticket"},
}
CASES = [
    "tools", "tools_async", "tools_strict", "json", "md_json", "json_schema", "responses_tools",
    "anthropic_tools", "anthropic_json", "genai_tools", "genai_structured_outputs",
]  # fmt: skip


def client(case):
    import instructor
    from instructor import Mode

    if case.startswith("anthropic"):
        import anthropic

        return instructor.from_anthropic(anthropic.Anthropic(base_url=ORIGIN, api_key="test"), mode=Mode[case.upper()])
    if case.startswith("genai"):
        from google import genai

        plain = genai.Client(api_key="test", http_options={"base_url": ORIGIN})
        return instructor.from_genai(plain, mode=Mode[case.upper()])
    import openai

    kind = openai.AsyncOpenAI if case.endswith("_async") else openai.OpenAI
    return instructor.from_openai(
        kind(base_url=f"{ORIGIN}/v1", api_key="test"), mode=Mode[case.removesuffix("_async").upper()]
    )


def run(case, feedback):
    """One conversation."""
    limit = {"max_tokens": 500} if case.startswith("anthropic") else {}
    return instructor_loop.run(client, case, feedback, **limit)
