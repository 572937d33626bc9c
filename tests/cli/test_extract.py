"""`--extract` in each command that judges: without it prose around a document is allowed, with `whole` it is not."""

import json
import re
from pathlib import Path

import pytest

from ..support.cassettes import GOOD, RESPONSE_FORMAT, conversation, write
from ..support.commands import run

PROSE = f"Here it is:\n```json\n{GOOD}\n```\n"


@pytest.mark.parametrize("contract", ["", " -c models.py:Person"])
@pytest.mark.parametrize(
    ("command", "pattern", "allowed", "refused"),
    [
        ("check a.yaml", r"valid by attempt +(\S+)", "1/1/1/1", "0/0/0/0"),
        ("check log.jsonl", r"valid by attempt +(\S+)", "1/1/1", "0/0/0"),
        ("show a.yaml", r"conversation \d+: (\w+)", "converged", "stopped"),
        ("report a.yaml", r"good: (\d of \d)", "1 of 1", "0 of 1"),
        ("diff a.yaml b.yaml", r"(\d \w+)", "1 unchanged", "1 still"),
    ],
)
def test_prose_around_a_document(
    command: str, pattern: str, allowed: str, refused: str, contract: str, here: Path
) -> None:
    """The schema of a request and a model of the user have the same default, and follow the option."""
    talk = conversation(PROSE, response_format=RESPONSE_FORMAT)
    write(here / "a.yaml", talk)
    write(here / "b.yaml", talk)
    (one,) = talk
    call = {"request": json.loads(one["request"]["body"]), "response": json.loads(one["response"]["body"]["string"])}
    (here / "log.jsonl").write_text(json.dumps(call) + "\n", encoding="utf-8")
    found = []
    for option in ("", " --extract embedded", " --extract whole"):
        done = run(*f"{command}{contract}{option}".split())
        matched = re.search(pattern, done.stdout)
        found.append(matched[1] if matched else done.output)
    assert found == [allowed, allowed, refused]


def test_recorded_plans_may_have_prose_around_them(here: Path) -> None:
    """As other recorded answers, where `--rules` names the format."""
    plan = json.dumps({"tasks": [{"id": 1, "title": "Write a.py", "status": "pending", "dependencies": []}]})
    write(here / "a.yaml", conversation(f"Here it is:\n```json\n{plan}\n```\n"))
    found = [run("check", "a.yaml", "--rules", "task-master", *more) for more in ((), ("--extract", "whole"))]
    assert [("1/1/1" in done.stdout, done.exit_code) for done in found] == [(True, 0), (False, 1)], found[0].output
