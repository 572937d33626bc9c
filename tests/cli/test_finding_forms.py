"""A finding as JSON: the same fields from every command that writes one."""

import json
from pathlib import Path
from typing import Any

from ..support.commands import run

MODELS = """
from pydantic import BaseModel

class Years(BaseModel):
    by_year: dict[str, int]
    rows: list[dict[str, int]]
"""
ANSWER = '{"by_year": {"2024": "x"}, "rows": [{"0": "y"}]}'
PATHS = [["by_year", "2024"], ["rows", 0, "0"]]
CONTRACT = ("-c", "years.py:Years")


def printed(*arguments: str) -> Any:
    """The JSON that a command prints."""
    return json.loads(run(*arguments, "--format", "json").stdout)


def test_every_command_writes_a_finding_alike(here: Path) -> None:
    """Paths are lists, and whoever reads the findings of one command reads those of all."""
    (here / "years.py").write_text(MODELS)
    for name, answer in (("good", '{"by_year": {}, "rows": []}'), ("bad", ANSWER)):
        (here / f"{name}.jsonl").write_text(json.dumps({"id": "a", "output": answer}) + "\n")
    found = printed("check", "bad.jsonl", *CONTRACT)["files"][0]["rows"][0]["judged"][0]["attempts"][0]["findings"]
    assert [finding["path"] for finding in found] == PATHS
    diff = printed("diff", "good.jsonl", "bad.jsonl", *CONTRACT, "--rows")
    (case,) = diff["cases"]
    assert case["findings"] == found
    assert [rule["path"] for rule in case["breaks"]] == [["by_year", "2024"], ["rows", None, "0"]]
    assert case["candidate"][0]["judged"][0]["attempts"][0]["findings"] == found


def test_plans_have_the_same_findings(here: Path) -> None:
    """A plan's finding has all that an answer's has."""
    (here / "tasks.md").write_text("# Tasks\n\n- [ ] T001 Do it\n- [ ] T001 Do it again\n")
    (row,) = printed("check", "tasks.md", "--rules", "spec-kit-tasks")["files"][0]["rows"]
    findings = row["judged"][0]["attempts"][0]["findings"]
    (here / "years.py").write_text(MODELS)
    (here / "bad.json").write_text(ANSWER)
    answer = printed("check", "bad.json", *CONTRACT)["files"][0]["rows"][0]["judged"][0]["attempts"][0]["findings"][0]
    assert findings
    assert all(finding.keys() == answer.keys() for finding in findings)
