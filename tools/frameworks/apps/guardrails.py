"""guardrails: Guard.for_pydantic with re-asks, through litellm."""

from task import ORIGIN, Ticket, prompt

PACKAGES = ["guardrails-ai"]
SHOWN = ["guardrails-ai", "litellm", "openai"]
CASES = ["for_pydantic"]


def run(case, feedback):
    """With re-asks the guard sends what is wrong; without them each try is a call of its own."""
    if feedback:
        return ask(case, 2).validated_output
    for _ in range(3):
        done = ask(case, 0)
        if done.validation_passed:
            break
    return done.validated_output


def ask(case, num_reasks):
    import guardrails

    guard = guardrails.Guard.for_pydantic(Ticket)
    messages = [{"role": "user", "content": f"{prompt(case)}. Answer with JSON only."}]
    return guard(model="openai/m", api_base=f"{ORIGIN}/v1", api_key="test", messages=messages, num_reasks=num_reasks)
