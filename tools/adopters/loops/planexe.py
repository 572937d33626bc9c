"""PlanExe: the executor keeps the exception of an attempt, and sends the next model the same messages."""

import pytest
from llama_index.llms.openai import OpenAI
from worker_plan_internal.lever.deduplicate_levers import DeduplicateLevers, DeduplicationAnalysis
from worker_plan_internal.llm_util.llm_executor import LLMExecutor, LLMModelWithInstance

from pytest_planguard import Contract


@pytest.mark.planguard(Contract(DeduplicationAnalysis))
def test_next_model():
    lever = {"lever_id": "a", "name": "Oven", "consequences": "c", "options": ["x", "y"], "review": "r"}
    models = LLMModelWithInstance.from_instances([OpenAI(model=name) for name in ("gpt-4o-mini", "gpt-4o")])
    found = DeduplicateLevers.execute(LLMExecutor(models), "a bakery", [lever])
    assert len(found.deduplicated_levers) == 1
