"""crewAI: a task's guardrail, and output_pydantic."""

import task
from task import ORIGIN, prompt

PACKAGES = ["crewai"]
SHOWN = ["crewai", "openai", "instructor"]
CASES = ["guardrail"]


def run(case, feedback):
    """The guardrail's text goes into the next prompt; "Try again." says nothing."""
    from crewai import LLM, Agent, Crew, Task

    def valid(output):
        wrong = task.errors(output.raw)
        return (not wrong, output.raw if not wrong else wrong if feedback else "Try again.")

    llm = LLM(model="openai/m", base_url=f"{ORIGIN}/v1", api_key="test")
    clerk = Agent(role="Clerk", goal="Write tickets", backstory="You write tickets.", llm=llm)
    job = Task(
        description=prompt(case), expected_output="a ticket as JSON", agent=clerk, guardrail=valid,
        guardrail_max_retries=2,
    )  # fmt: skip
    return Crew(agents=[clerk], tasks=[job]).kickoff().raw
