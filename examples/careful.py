"""An app that puts what was wrong into the prompt and asks again, without the bad answer."""

from __future__ import annotations

from .ticket import NoTicket, Ticket, ask, mistakes, prompt


def create_ticket(task: str, attempts: int = 4) -> Ticket:
    """A ticket for the task. Raises NoTicket when the model does not write one."""
    wrong: list[str] = []
    for attempt in range(1, attempts + 1):
        messages = prompt(task)
        if wrong:
            messages[-1]["content"] += "\n".join(
                [f"\nRETRY {attempt}/{attempts}. The last answer was rejected:", *wrong]
            )
        answer = ask(messages, attempt)
        wrong = [f"- {line}" for line in mistakes(answer)]
        if not wrong:
            return Ticket.model_validate_json(answer)
    raise NoTicket(f"no ticket after {attempts} attempts")
