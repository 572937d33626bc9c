"""amelia: its agent has a tool that writes plans, and a schema for whole answers; both say what is wrong."""

import asyncio
import os

import pytest
from amelia.drivers.api import ApiDriver
from amelia.tools.registry.context import ToolContext
from amelia.tools.write_plan_schema import WritePlanInput

from pytest_planguard import Contract

LOOP = asyncio.new_event_loop()  # LangChain keeps its client for the whole process


def driver(folder):
    url = os.environ["OPENAI_BASE_URL"]
    return ApiDriver("gpt-4o-mini", str(folder), "stand-in", base_url=url, api_key_env_var="OPENAI_API_KEY")


@pytest.mark.planguard(Contract(WritePlanInput, judged="write_plan"))
def test_tool(tmp_path):
    async def ask():
        tools = {"allowed_tools": ["write_plan"], "tool_context": ToolContext(cwd=str(tmp_path))}
        async for _ in driver(tmp_path).execute_agentic("Plan a health endpoint.", str(tmp_path), **tools):
            pass

    LOOP.run_until_complete(ask())
    assert (tmp_path / "p.md").exists()


@pytest.mark.planguard(Contract(WritePlanInput))
def test_schema(tmp_path):
    plan, _ = LOOP.run_until_complete(driver(tmp_path).generate("Plan a health endpoint.", schema=WritePlanInput))
    assert plan.tasks
