"""An app with a classic bug: it works out what was wrong, and then sends the first prompt again."""

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
        complaint = "\n".join(["That answer was rejected:", *wrong])
        retry = [*messages, {"role": "assistant", "content": answer}, {"role": "user", "content": complaint}]
        assert retry is not messages  # the bug: `retry` is what the next request should send
    raise NoTicket(f"no ticket after {attempts} attempts")
