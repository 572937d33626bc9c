"""smolagents: a tool that raises before final_answer ends the run, and final_answer judged by a check."""

import json

from task import ORIGIN, THANKS, complaints, prompt, saver

PACKAGES = ["smolagents[openai]"]
SHOWN = ["smolagents", "openai"]
SCRIPTS = {
    "agent": {"tool": "save_ticket", "closing": "I have saved the ticket.", "closing_tool": "final_answer"},
    "final_answer_checks": {
        "tool": "final_answer",
        "good": {"answer": {"title": "Printer", "priority": "high", "steps": ["look", "restart"]}},
        "bad": {"answer": {"title": "Printer", "priority": "hi", "steps": []}},
    },
}
CONTRACTS = {"final_answer_checks": "FINAL"}
CASES = ["agent", "final_answer_checks"]


def run(case, feedback):
    """The agent's steps: an error of a tool or of a check is the next observation."""
    from smolagents import OpenAIServerModel, ToolCallingAgent, tool

    model = OpenAIServerModel(model_id="m", api_base=f"{ORIGIN}/v1", api_key="test")
    if case == "agent":
        made = ToolCallingAgent(tools=[tool(saver(feedback, ValueError))], model=model, max_steps=5)
        return made.run(prompt(case))
    complaint = complaints(feedback)

    def check(answer, *_, **__):
        wrong = complaint(json.dumps(answer))
        if wrong and THANKS not in wrong:  # a fourth step would be another task for smolagents: its last words
            raise ValueError(wrong)
        return True

    made = ToolCallingAgent(tools=[], model=model, max_steps=3, final_answer_checks=[check])
    return made.run(prompt(case))
