"""paper-qa: a summary is asked for twice, the second time with the parser's error; answers beyond the prompt pass."""

import asyncio

import pytest
from lmi import LiteLLMModel
from paperqa.core import llm_parse_json, map_fxn_summary
from paperqa.prompts import summary_json_prompt, summary_json_system_prompt
from paperqa.types import Doc, Text
from pydantic import BaseModel, Field

from pytest_planguard import Contract


class Summary(BaseModel):
    """What the prompt asks for."""

    summary: str
    relevance_score: int = Field(ge=0, le=10)


def summarize():
    text = Text(text="Air scatters blue light.", name="sky p1", doc=Doc(docname="sky", dockey="k", citation="Sky"))
    asked = map_fxn_summary(
        text=text,
        question="Why is the sky blue?",
        summary_llm_model=LiteLLMModel(name="gpt-4o-mini"),
        prompt_templates=(summary_json_prompt, summary_json_system_prompt),
        parser=llm_parse_json,
        extra_prompt_data={"summary_length": "about 50 words", "citation": "Sky"},
    )
    return asyncio.run(asked)[0]


@pytest.mark.planguard(Contract(Summary))
def test_converges():
    assert summarize().score == 9


@pytest.mark.planguard(Contract(Summary), max_attempts=2)
def test_gives_up():
    assert summarize() is None


@pytest.mark.planguard(Contract(Summary))
def test_any_score():
    assert summarize().score == 90


@pytest.mark.planguard(Contract(Summary))
def test_no_summary():
    assert summarize().context == '{"relevance_score": 9}'
