"""DSPy: a field for the errors of the last try, through litellm: its own HTTP client is one that nothing can record."""

import task
from task import ORIGIN, prompt

PACKAGES = ["dspy"]
SHOWN = ["dspy", "litellm", "openai"]
SCRIPTS = {
    "chat_adapter": {"wrap": "[[ ## ticket ## ]]\n{}\n\n[[ ## completed ## ]]"},
    "xml_adapter": {"wrap": "<ticket>{}</ticket>"},
    "json_adapter": {"wrap": '{"ticket": {}}'},
}
CONTRACTS = {"json_adapter": "FIELD"}
CASES = ["chat_adapter", "xml_adapter", "json_adapter"]


def run(case, feedback):
    """A loop of one's own: DSPy has none since assertions were removed."""
    import dspy

    class Answer(dspy.Signature):
        """Write a ticket."""

        request: str = dspy.InputField()
        errors: str = dspy.InputField(desc="what was wrong with the last ticket")
        ticket: dict = dspy.OutputField()

    lm = dspy.LM("openai/m", api_base=f"{ORIGIN}/v1", api_key="test", cache=False, engine="litellm")
    adapter = {"xml_adapter": dspy.XMLAdapter, "json_adapter": dspy.JSONAdapter}.get(case, dspy.ChatAdapter)()
    wrong = ""
    with dspy.context(lm=lm, adapter=adapter):
        for _ in range(3):
            ticket = dspy.Predict(Answer)(request=prompt(case), errors=wrong if feedback else "").ticket
            wrong = check(ticket, "ticket -> " if case == "json_adapter" else "")
            if not wrong:
                return ticket
    return None


def check(ticket, within):
    """The errors by their places; JSONAdapter's answers have the output field around the ticket."""
    import json

    return task.errors(json.dumps(ticket)).replace("- ", f"- {within}")
