"""Asks for a ticket until it is valid, by BAML's client in Rust: `agent_baml.py [json|stream] [blind]`."""

import json
import sys

from baml_client import b
from baml_client.types import Turn


def ask(turns):
    """The text of one answer."""
    return b.stream.Ask(turns).get_final_response() if "stream" in sys.argv else b.Ask(turns)


def errors(text):
    """What is wrong with an answer, a line each."""
    value, wrong = json.loads(text), []
    if value["priority"] not in ("low", "medium", "high"):
        wrong.append("priority: Input should be 'low', 'medium' or 'high'")
    if not value["steps"]:
        wrong.append("steps: List should have at least 1 item")
    return "\n".join(wrong)


turns = [Turn(role="user", text="Write a ticket for the printer. Answer with JSON only.")]
for _ in range(3):
    answer = ask(turns)
    wrong = errors(answer)
    if not wrong:
        break
    again = "Try again." if "blind" in sys.argv else "That is not valid:\n" + wrong
    turns += [Turn(role="assistant", text=answer), Turn(role="user", text=again)]
print(answer)
