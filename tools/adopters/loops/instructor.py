"""instructor: `retry_sync` asks again with the validation error as a tool's result."""

import instructor
import pytest
from openai import OpenAI
from pydantic import BaseModel, field_validator

from pytest_planguard import Contract

PACKAGES = ["instructor", "openai"]
EXPECTED = {"test_tools": ("converged", [])}
PROOF = {"test_tools": "instructor/v2/core/response.py: handle_reask_kwargs adds the exception to the messages"}
ANSWERS = {
    "test_tools": [
        {"tool": "User", "args": {"name": "jason", "age": "twelve"}},
        {"tool": "User", "args": {"name": "jason", "age": 12}},
        {"tool": "User", "args": {"name": "JASON", "age": 12}},
    ]
}


class User(BaseModel):
    name: str
    age: int

    @field_validator("name")
    @classmethod
    def loud(cls, name):
        if name.upper() != name:
            raise ValueError("Name must be in uppercase")
        return name


@pytest.mark.planguard(Contract(User))
def test_tools():
    client = instructor.from_openai(OpenAI(), mode=instructor.Mode.TOOLS)
    asked = [{"role": "user", "content": "Extract `jason is 12`"}]
    found = client.chat.completions.create(model="m", response_model=User, messages=asked, max_retries=3)
    assert found.name == "JASON"
