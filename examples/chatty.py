"""An app that keeps the bad answer in the conversation and says what was wrong with it."""

from __future__ import annotations

from .ticket import NoTicket, Ticket, ask, mistakes, prompt


def create_ticket(task: str, attempts: int = 4) -> Ticket:
    """A ticket for the task. Raises NoTicket when the model does not write one."""
    messages = prompt(task)
    for attempt in range(1, attempts + 1):
        answer = ask(messages, attempt)
        wrong = mistakes(answer)
        if not wrong:
            return Ticket.model_validate_json(answer)
        complaint = "\n".join(
            ["That answer was rejected:", *wrong, "Answer again with the corrected JSON object only."]
        )
        messages = [
            *prompt(task),
            {"role": "assistant", "content": answer},
            {"role": "user", "content": complaint},
        ]
    raise NoTicket(f"no ticket after {attempts} attempts")
