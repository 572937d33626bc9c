"""instructor: `retry_sync` asks again with the validation error as a tool's result."""

import instructor
import pytest
from openai import OpenAI
from pydantic import BaseModel, field_validator

from pytest_planguard import Contract


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
