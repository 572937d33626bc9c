"""Small cassettes of chat completions, written as plain vcrpy files, and a module with contracts for them."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

PERSON = {"title": "Person", "type": "object", "required": ["name", "age"]}
PERSON["properties"] = {"name": {"type": "string"}, "age": {"type": "integer"}}
RESPONSE_FORMAT = {"type": "json_schema", "json_schema": {"name": "Person", "schema": PERSON}}
GOOD = '{"name": "Ada", "age": 36}'
BAD = '{"name": "Ada"}'
FEEDBACK = "age: Field required"
SYSTEM = {"role": "system", "content": "Answer with a person as JSON.\nNothing else."}
TASK = {"role": "user", "content": "Who wrote the first program?"}

MODELS = """
from pydantic import BaseModel
from pytest_planguard import Contract


class Person(BaseModel):
    name: str
    age: int


class Nested:
    PERSON = Contract(Person)


PERSON = Contract(Person, extract="whole")
NUMBER = 7
"""


def exchange(messages: Sequence[dict[str, Any]], answer: str, **request: Any) -> dict[str, Any]:
    """Return one recorded call as vcrpy writes it; `request` adds to the request's body."""
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": answer}}
    reply = {"id": "c1", "object": "chat.completion", "model": "m", "choices": [choice]}
    headers = {"content-type": ["application/json"]}
    return {
        "request": {
            "method": "POST",
            "uri": "http://127.0.0.1:1/v1/chat/completions",
            "headers": headers,
            "body": json.dumps({"model": "m", "messages": list(messages), **request}),
        },
        "response": {
            "status": {"code": 200, "message": "OK"},
            "headers": headers,
            "body": {"string": json.dumps(reply)},
        },
    }


def conversation(*answers: str, told: bool = True, **request: Any) -> list[dict[str, Any]]:
    """Return a conversation with these answers. Each retry quotes the last answer and, with `carry`, its errors."""
    messages = [SYSTEM, TASK]
    calls = []
    for answer in answers:
        calls.append(exchange(messages, answer, **request))
        said = FEEDBACK if told else "Please try again."
        messages = [*messages, {"role": "assistant", "content": answer}, {"role": "user", "content": said}]
    return calls


def write(path: Path, interactions: list[dict[str, Any]]) -> Path:
    """Write a cassette."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(yaml.safe_dump({"interactions": interactions, "version": 1}), encoding="utf-8")
    return path


def write_models(folder: Path) -> str:
    """Write the module with contracts, and return the spec of its Person model."""
    path = folder / "models.py"
    path.write_text(MODELS, encoding="utf-8")
    return f"{path}:Person"
