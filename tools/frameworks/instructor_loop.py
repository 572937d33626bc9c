"""instructor's own re-ask loop over any client of it, with and without its feedback.

Copied beside each app as the module `instructor_loop`.
"""

import asyncio

from task import Ticket, prompt


def run(client, case, feedback, **settings):
    """With feedback the framework re-asks; without it each try is a request of its own, with a client of its own."""
    if feedback:
        return ask(client(case), case, max_retries=2, **settings)
    from instructor.core.exceptions import InstructorRetryException

    for _ in range(3):
        try:
            return ask(client(case), case, max_retries=0, **settings)
        except InstructorRetryException:
            continue
    return None


def ask(client, case, **settings):
    messages = [{"role": "user", "content": prompt(case)}]
    made = client.create(model="m", response_model=Ticket, messages=messages, **settings)
    return asyncio.run(made) if asyncio.iscoroutine(made) else made
