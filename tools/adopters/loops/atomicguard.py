"""AtomicGuard: the agent's history repeats every rejection, and never the code that it rejects."""

import ast
import os
import re

import pytest
from atomicguard.application.action_pair import ActionPair
from atomicguard.application.agent import DualStateAgent
from atomicguard.domain.exceptions import RmaxExhausted
from atomicguard.domain.prompts import PromptTemplate
from atomicguard.guards.static.syntax import SyntaxGuard
from atomicguard.infrastructure.llm.ollama import OllamaGenerator
from atomicguard.infrastructure.persistence.memory import InMemoryArtifactDAG

from pytest_planguard import Contract, FailureKind, Finding


def parses(_data, document):
    """Yield what the project's guard finds in the project's extract of the answer."""
    found = re.search(r"```python\n(.*?)\n```", document.text, re.DOTALL)
    if not found:
        yield Finding("code", (), "No code block", FailureKind.RULE)
        return
    try:
        ast.parse(found[1])
    except SyntaxError as error:
        yield Finding("syntax", (), f"Syntax error: {error}", FailureKind.RULE)


CODE = Contract(None, rules=[parses], format="markdown", name="code")


def agent(rmax, wrapper="REJECTED: {feedback}"):
    generator = OllamaGenerator(model="qwen", base_url=os.environ["OPENAI_BASE_URL"])
    prompt = PromptTemplate(role="coder", constraints="none", task="write add", feedback_wrapper=wrapper)
    return DualStateAgent(ActionPair(generator, SyntaxGuard(), prompt), InMemoryArtifactDAG(), rmax=rmax)


@pytest.mark.planguard(CODE)
def test_converges():
    assert agent(3).execute("write add").content.endswith("a + b")


@pytest.mark.planguard(CODE, max_attempts=2)
def test_gives_up():
    with pytest.raises(RmaxExhausted):
        agent(1).execute("write add")


@pytest.mark.planguard(CODE)
def test_no_code():
    assert agent(3).execute("write add").content == ""


@pytest.mark.planguard(CODE)
def test_no_wrapper():
    with pytest.raises(ValueError, match="feedback_wrapper must be defined"):
        agent(3, None).execute("write add")
