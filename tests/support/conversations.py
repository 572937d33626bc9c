"""Look-alike traffic in three dialects, and the wordings that apps and frameworks use for errors."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from pytest_planguard.contract.contract import Contract
from pytest_planguard.document.path import to_dotted, to_pointer
from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.wire.decode import decode
from pytest_planguard.wire.exchange import Exchange, Message


def to_jsonpath(path: tuple[str | int, ...]) -> str:
    """Return a path as JSONPath (RFC 9535): "$.tasks[0].id"; the root is "$"."""
    dotted = to_dotted(path) if path else ""
    return f"${dotted}" if dotted[:1] in ("", "[") else f"$.{dotted}"


Turn = tuple[str, str]
"""Role and text."""
Error = tuple[tuple[str | int, ...], str, str]
"""Path, code and message as pydantic gives them."""

DIALECTS = ("openai.chat", "openai.responses", "anthropic.messages")
SYSTEM = "You write plans as JSON."


class Task(BaseModel):
    model_config = ConfigDict(extra="forbid")
    id: int
    status: Literal["Draft", "Approved"]


class Plan(BaseModel):
    model_config = ConfigDict(extra="forbid")
    goal: str = Field(min_length=3)
    tasks: list[Task] = Field(min_length=2)


PLAN = Contract(Plan, extract="whole")
GOOD = json.dumps({"goal": "Ship the release", "tasks": [{"id": 1, "status": "Draft"}, {"id": 2, "status": "Draft"}]})
BAD = json.dumps({"tasks": [{"id": 1, "status": "pending"}, {"id": "two", "status": "Draft"}]})
"""Three schema findings: /goal missing, /tasks/0/status enum, /tasks/1/id type."""
BROKEN = '{"goal": "Ship", "tasks": [{"id": 1, "status": "Draft"}]]'
ERRORS: tuple[Error, ...] = (
    (("goal",), "missing", "Field required"),
    (("tasks", 0, "status"), "literal_error", "Input should be 'Draft' or 'Approved'"),
    (
        ("tasks", 1, "id"),
        "int_parsing",
        "Input should be a valid integer, unable to parse string as an integer",
    ),
)


@dataclass(frozen=True)
class Spoken:
    """One request and its answer, before they are written in a dialect."""

    turns: Sequence[Turn]
    answer: str
    finish: str = "stop"
    seed: int = 1
    limit: int = 500


def exchange(number: int, spoken: Spoken, dialect: str = "openai.chat") -> Exchange:
    """The decoded exchange."""
    url, request, response = _BODIES[dialect](spoken, number)
    return decode(
        number,
        Message({"content-type": "application/json"}, json.dumps(request).encode(), url=url),
        Message({"content-type": "application/json"}, json.dumps(response).encode()),
    )


def conversation(*spoken: Spoken, dialect: str = "openai.chat", start: int = 1) -> tuple[Exchange, ...]:
    """Exchanges, numbered from `start`."""
    return tuple(exchange(number, one, dialect) for number, one in enumerate(spoken, start))


def recorded(*spoken: Spoken) -> dict[str, Any]:
    """Return the chat completions as the content of a cassette."""
    headers = {"content-type": ["application/json"]}
    interactions = []
    for number, one in enumerate(spoken, 1):
        url, request, response = _BODIES["openai.chat"](one, number)
        sent = {"method": "POST", "uri": url, "headers": headers, "body": json.dumps(request)}
        body = {"string": json.dumps(response)}
        answered = {"status": {"code": 200, "message": "OK"}, "headers": headers, "body": body}
        interactions.append({"request": sent, "response": answered})
    return {"version": 1, "interactions": interactions}


def dialogue(
    feedback: str,
    *,
    bad: str = BAD,
    good: str = GOOD,
    task: str = "Plan the release of version two",
    dialect: str = "openai.chat",
) -> tuple[Exchange, ...]:
    """Two attempts: a bad answer, feedback in a user turn, a good answer."""
    base: list[Turn] = [("system", SYSTEM), ("user", task)]
    retry = [*base, ("assistant", bad), ("user", feedback)]
    return conversation(Spoken(base, bad), Spoken(retry, good, seed=2), dialect=dialect)


def injected(feedback: str, *, bad: str = BAD, good: str = GOOD, dialect: str = "openai.chat") -> tuple[Exchange, ...]:
    """Two attempts: a bad answer, feedback put into the prompt, a good answer."""
    task = "Plan the release of version two"
    first: list[Turn] = [("system", SYSTEM), ("user", task)]
    second: list[Turn] = [("system", SYSTEM), ("user", f"{task}\n{feedback}")]
    return conversation(Spoken(first, bad), Spoken(second, good, seed=2), dialect=dialect)


def _chat(spoken: Spoken, number: int) -> tuple[str, Any, Any]:
    request = {
        "model": "m",
        "messages": [{"role": role, "content": text} for role, text in spoken.turns],
        "seed": spoken.seed,
        "max_tokens": spoken.limit,
    }
    answer = {"role": "assistant", "content": spoken.answer}
    response = {
        "id": f"c{number}",
        "object": "chat.completion",
        "model": "m",
        "choices": [{"index": 0, "finish_reason": spoken.finish, "message": answer}],
        "usage": {"prompt_tokens": 5, "completion_tokens": 7, "total_tokens": 12},
    }
    return "http://127.0.0.1/v1/chat/completions", request, response


def _responses(spoken: Spoken, number: int) -> tuple[str, Any, Any]:
    request = {
        "model": "m",
        "instructions": "\n".join(text for role, text in spoken.turns if role == "system"),
        "input": [{"role": role, "content": text} for role, text in spoken.turns if role != "system"],
        "max_output_tokens": spoken.limit,
        "metadata": {"seed": str(spoken.seed)},
    }
    content = [{"type": "output_text", "text": spoken.answer, "annotations": []}]
    response = {
        "id": f"r{number}",
        "object": "response",
        "status": "completed" if spoken.finish == "stop" else "incomplete",
        "incomplete_details": None if spoken.finish == "stop" else {"reason": "max_output_tokens"},
        "model": "m",
        "output": [
            {"type": "message", "id": f"m{number}", "role": "assistant", "status": "completed", "content": content}
        ],
        "usage": {"input_tokens": 5, "output_tokens": 7, "total_tokens": 12},
    }
    return "http://127.0.0.1/v1/responses", request, response


def _anthropic(spoken: Spoken, number: int) -> tuple[str, Any, Any]:
    request = {
        "model": "m",
        "system": "\n".join(text for role, text in spoken.turns if role == "system"),
        "messages": [{"role": role, "content": text} for role, text in spoken.turns if role != "system"],
        "max_tokens": spoken.limit,
        "metadata": {"user_id": str(spoken.seed)},
    }
    response = {
        "id": f"a{number}",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "stop_reason": "end_turn" if spoken.finish == "stop" else "max_tokens",
        "content": [{"type": "text", "text": spoken.answer}],
        "usage": {"input_tokens": 5, "output_tokens": 7},
    }
    return "http://127.0.0.1/v1/messages", request, response


_BODIES: dict[str, Callable[[Spoken, int], tuple[str, Any, Any]]] = {
    "openai.chat": _chat,
    "openai.responses": _responses,
    "anthropic.messages": _anthropic,
}


def _pydantic(errors: Sequence[Error]) -> str:
    lines = [f"{len(errors)} validation error{'s' * (len(errors) != 1)} for Plan"]
    for path, code, message in errors:
        lines += [".".join(map(str, path)), f"  {message} [type={code}, input_value={{'a': 1}}, input_type=dict]"]
        lines += [f"    For further information visit https://errors.pydantic.dev/2.14/v/{code}"]
    return "\n".join(lines)


def _json_list(errors: Sequence[Error]) -> str:
    return json.dumps([{"type": code, "loc": list(path), "msg": message, "input": 1} for path, code, message in errors])


def _lines(template: str, spell: Callable[..., str]) -> Callable[[Sequence[Error]], str]:
    def word(errors: Sequence[Error]) -> str:
        return "\n".join(template.format(n=n, p=spell(p), m=m) for n, (p, _, m) in enumerate(errors, 1))

    return word


def _arrows(path: tuple[str | int, ...]) -> str:
    return " -> ".join(map(str, path))


def _dots(path: tuple[str | int, ...]) -> str:
    return ".".join(map(str, path))


def _typechat(errors: Sequence[Error]) -> str:
    return "".join(
        f"Validation path `{_dots(path)}` failed for value `1` because:\n  {message}\n\n" for path, _, message in errors
    )


def _guardrails(errors: Sequence[Error]) -> str:
    return "Error Messages:\n" + json.dumps({to_jsonpath(path): [message] for path, _, message in errors})


WORDINGS: dict[str, Callable[[Sequence[Error]], str]] = {
    "pydantic text": _pydantic,
    "instructor": lambda e: f"Validation Error found:\n{_pydantic(e)}\nRecall the function correctly, fix the errors",
    "mirascope": lambda e: f"Your response failed schema validation:\n{_pydantic(e)}\n\nPlease correct these issues.",
    "LangChain": lambda e: (
        f"Error: Failed to parse structured output for tool 'Plan': {_pydantic(e)}.\n Please fix your mistakes."
    ),
    "pydantic-ai": lambda e: f"<pyai:validation_errors>\n{_json_list(e)}\n</pyai:validation_errors>",
    "Python list": lambda e: f"Errors: {[{'type': c, 'loc': p, 'msg': m} for p, c, m in e]!r}",
    "bullets, dotted": _lines("- {p}: {m}", to_dotted),
    "bullets, pointer": _lines("* `{p}`: {m}", to_pointer),
    "numbered": _lines("{n}. {p} (line 4): {m}", to_pointer),
    "JSON path": _lines("- {p}: {m}", to_jsonpath),
    "arrows": _lines("{p}: {m}", _arrows),
    "plain lines": _lines("{p}: {m}", _dots),
    "dashes": _lines("• {p} — {m}", to_dotted),
    "message first": _lines("{m} at {p}", to_dotted),
    "one line": lambda e: "Please fix: " + "; ".join(f"{to_dotted(p)}: {m}" for p, _, m in e),
    "TypeChat": _typechat,
    "guardrails": _guardrails,
}
"""How errors are worded; each takes pydantic's paths, codes and messages."""

FREE_WORDINGS = {
    "prose, every field named": "Goal is fine to leave short but goal is required. The status must be one of Draft or "
    "Approved. The id should be an integer.",
    "prose by position": "In the first task the status must be Draft or Approved, and the second needs a number as id. "
    "You also forgot the goal.",
    "summary": "Several fields are wrong or missing; please correct the tasks.",
    "German, with places": "- goal: Pflichtfeld fehlt\n- tasks[0].status: nicht erlaubt\n- tasks[1].id: keine Zahl",
    "German, validator's words kept": "Feld goal fehlt: Field required. "
    "tasks[0].status – Input should be 'Draft' or 'Approved'; tasks[1].id – Input should be a valid integer, "
    "unable to parse string as an integer",
    "escaped in a JSON string": json.dumps({"error": WORDINGS["pydantic text"](ERRORS)}),
    "annotated answer": '{\n  // ❌ goal: Field required\n  "tasks": [{"status": "pending" '
    '// ❌ tasks[0].status: one of Draft, Approved\n  }, {"id": "two" // ❌ tasks[1].id: expected an integer\n  }]}',
}
"""Feedback in words that no reader was written for: how the honest limits of `feedback` are counted."""


def grades(feedback: str, bad: str = BAD) -> list[str]:
    """Return what became of each finding of `bad`, an answer to PLAN, in a retry with this feedback."""
    judged = judge(dialogue(feedback, bad=bad), [PLAN]).conversations[0]
    return [fed_back.label for fed_back in judged.attempts[0].fed_back]
