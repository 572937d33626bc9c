"""pydantic-graph: a draft and a review node, and an edge back to the draft."""

import asyncio
from dataclasses import dataclass, field

from task import ORIGIN, again, errors, messages

PACKAGES = ["pydantic-graph", "openai"]
CASES = ["review"]


@dataclass
class State:
    sent: list[dict[str, str]] = field(default_factory=list)
    tries: int = 0


def run(case, feedback):
    """The graph decides whether to ask again."""
    return asyncio.run(graph(feedback).run(state=State(messages(case))))


def graph(feedback):
    from openai import AsyncOpenAI
    from pydantic_graph import GraphBuilder, StepContext

    client = AsyncOpenAI(base_url=f"{ORIGIN}/v1", api_key="test", max_retries=0)
    made = GraphBuilder(state_type=State, output_type=str)

    @made.step
    async def draft(ctx: StepContext[State, None, None]) -> str:
        ctx.state.tries += 1
        done = await client.chat.completions.create(model="m", messages=ctx.state.sent)
        return done.choices[0].message.content

    @made.step
    async def revise(ctx: StepContext[State, None, str]) -> None:
        if ctx.state.tries == 3:
            raise RuntimeError("no ticket")
        ctx.state.sent = again(ctx.state.sent, ctx.inputs, errors(ctx.inputs) if feedback else "")

    good = made.match(str, matches=lambda text: not errors(text)).to(made.end_node)
    review = made.decision().branch(good).branch(made.match(str).to(revise))
    made.add(
        made.edge_from(made.start_node).to(draft),
        made.edge_from(draft).to(review),
        made.edge_from(revise).to(draft),
    )
    return made.build()
