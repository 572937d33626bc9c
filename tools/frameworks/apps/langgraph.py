"""LangGraph: a graph of one's own with the edges approved, revise and escalate, and parallel calls on the way."""

import asyncio
from typing import Any, TypedDict

import task
from task import ORIGIN, prompt

PACKAGES = ["langgraph", "langchain-openai"]
SHOWN = ["langgraph", "langchain-core", "langchain-openai", "openai"]
CASES = ["revise", "revise_parallel"]


class State(TypedDict):
    messages: list[Any]
    tries: int
    wrong: str


def graph(told):
    import httpx2
    from langchain_openai import ChatOpenAI
    from langgraph.graph import END, START, StateGraph

    # The default client is cached for the process, and bound to the first test's event loop.
    client = httpx2.AsyncClient()
    chat = ChatOpenAI(model="m", base_url=f"{ORIGIN}/v1", api_key="test", http_async_client=client)

    async def draft(state):
        done = await chat.ainvoke(state["messages"])
        return {"messages": [*state["messages"], ("assistant", done.content)], "tries": state["tries"] + 1}

    def review(state):
        return {"wrong": task.errors(state["messages"][-1][1])}

    def revise(state):
        said = f"Please revise:\n{state['wrong']}" if told else "Please revise."
        return {"messages": [*state["messages"], ("user", said)]}

    def verdict(state):
        return "approved" if not state["wrong"] else "revise" if state["tries"] < 3 else "escalate"

    made = StateGraph(State)
    for name, node in {"draft": draft, "review": review, "revise": revise}.items():
        made.add_node(name, node)
    made.add_edge(START, "draft")
    made.add_edge("draft", "review")
    made.add_conditional_edges("review", verdict, {"approved": END, "revise": "revise", "escalate": END})
    made.add_edge("revise", "draft")
    return made.compile()


def run(case, feedback):
    """One ticket, or three at once."""
    rooms = ["room 1", "room 2", "room 3"] if case.endswith("parallel") else ["room 1"]
    return asyncio.run(all_rooms(graph(feedback), case, rooms))


async def all_rooms(made, case, rooms):
    def start(room):
        said = f"{prompt(case)} in {room}. Answer with JSON only."
        return {"messages": [("user", said)], "tries": 0, "wrong": ""}

    return await asyncio.gather(*(made.ainvoke(start(room)) for room in rooms))
