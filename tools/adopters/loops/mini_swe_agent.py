"""mini-swe-agent: it says what is wrong with a call, but the call itself never enters the history."""

import re

import pytest
import yaml
from minisweagent import package_dir
from minisweagent.agents.default import DefaultAgent
from minisweagent.environments.local import LocalEnvironment
from minisweagent.models.litellm_model import LitellmModel
from minisweagent.models.litellm_textbased_model import LitellmTextbasedModel
from pydantic import BaseModel

from pytest_planguard import Contract, FailureKind, Finding


class Bash(BaseModel):
    command: str


def one_action(_data, document):
    """Yield how many actions the answer has, if it is not one."""
    found = len(re.findall(r"```mswea_bash_command\s*\n(.*?)\n```", document.text, re.DOTALL))
    if found != 1:
        yield Finding("actions", (), f"Expected exactly 1 action, found {found}", FailureKind.RULE)


CALL = Contract(Bash, judged="bash")
TEXT = Contract(None, rules=[one_action], format="markdown", name="action")


@pytest.fixture
def status(tmp_path):
    """Run the agent on a task, and return its exit status."""

    def run(model, config):
        named = yaml.safe_load((package_dir / "config" / config).read_text())
        template = named["model"]["format_error_template"]
        made = model(model_name="openai/gpt-4o-mini", cost_tracking="ignore_errors", format_error_template=template)
        return DefaultAgent(made, LocalEnvironment(cwd=str(tmp_path)), **named["agent"]).run("List.")["exit_status"]

    return run


@pytest.mark.planguard(CALL)
def test_call(status):
    assert status(LitellmModel, "mini.yaml") == "Submitted"


@pytest.mark.planguard(CALL)
def test_gives_up(status):
    assert status(LitellmModel, "mini.yaml") == "RepeatedFormatError"


@pytest.mark.planguard(TEXT)
def test_text(status):
    assert status(LitellmTextbasedModel, "mini_textbased.yaml") == "Submitted"
