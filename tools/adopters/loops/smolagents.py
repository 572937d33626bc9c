"""smolagents: a step that failed stays in the memory with its error, and with a closing tag that the model left out."""

import re

import pytest
from smolagents import CodeAgent, OpenAIServerModel

from pytest_planguard import Contract, FailureKind, Finding


def allowed_code(_data, document):
    """Yield what the agent's interpreter cannot run: prose, and imports beyond the allowed ones."""
    code = re.search(r"<code>(.*?)(</code>|$)", document.text, re.DOTALL)
    if not code:
        yield Finding("code", (), "the regex pattern <code>(.*?)</code> was not found", FailureKind.RULE)
    elif "import os" in code[1]:
        yield Finding("import", (), "Import of os is not allowed", FailureKind.RULE)


@pytest.mark.planguard(Contract(None, rules=[allowed_code], format="markdown", name="code"))
@pytest.mark.parametrize("case", ["prose", "import"])
def test_agent(case):
    agent = CodeAgent(tools=[], model=OpenAIServerModel("gpt-4o-mini"), max_steps=3, verbosity_level=0)
    assert agent.run("What is 2 + 3?") == 5, case
