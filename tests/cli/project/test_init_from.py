"""`planguard init --from`: files are written once, and further examples are compared with what is there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from pytest_planguard.runs.load.case_files import case_references

from ...support.commands import run
from ...support.paths import ROOT
from ...wire.talk import CHAT


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with five answers, one a line."""
    monkeypatch.chdir(tmp_path)
    lines = [json.dumps({"title": f"Printer {at}", "steps": ["look", f"call {at}"]}) for at in range(5)]
    (tmp_path / "answers.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return tmp_path


def test_the_first_run_writes_a_contract_and_a_test(folder: Path) -> None:
    """Both are named, and the next command."""
    result = run("init", "--from", "answers.jsonl")
    assert result.exit_code == 0, result.stderr
    assert result.stdout == (
        "answer_contract.py: written\ntest_answer_contract.py: written\nproposed from 5 examples\n"
        "next: pytest test_answer_contract.py\n"
    )
    assert run("check", "answers.jsonl", "-c", "answer_contract.py:CONTRACT").exit_code == 0


def test_the_second_run_says_what_further_examples_contradict(folder: Path) -> None:
    """Nothing is overwritten; exit code 1 where there is something."""
    run("init", "--from", "answers.jsonl", "--to", "mine_contract.py")
    before = (folder / "mine_contract.py").read_text(encoding="utf-8")
    same = run("init", "--from", "answers.jsonl", "--to", "mine_contract.py")
    assert same.exit_code == 0
    assert same.stdout == "mine_contract.py: is there already; 5 examples contradict nothing\n"
    (folder / "more.jsonl").write_text('{"title": "Printer 9", "steps": "look"}\n', encoding="utf-8")
    more = run("init", "--from", "more.jsonl", "--to", "mine_contract.py")
    assert more.exit_code == 1
    assert more.stdout == (
        "mine_contract.py: is there already; 1 example contradicts 1 rule\n"
        '  steps: type: expected a list; got "look" (more.jsonl line 1; 1 example)\n'
    )
    assert (folder / "mine_contract.py").read_text(encoding="utf-8") == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--to", "a_contract.py"], "--to works only together with --from: add --from, or leave out --to."),
        (
            ["--from", "answers.jsonl", "--to", "a-b.py"],
            "--to is not a Python module: got a-b.py; name a file like",
        ),
        (["--from", "prose.txt"], "no answers that are data: got prose.txt; name files of JSON or YAML answers"),
    ],
)
def test_what_cannot_work_says_what_to_write(folder: Path, arguments: list[str], message: str) -> None:
    """Exit code 2, one line."""
    (folder / "prose.txt").write_text("no data here", encoding="utf-8")
    result = run("init", *arguments)
    assert result.exit_code == 2
    assert message in result.stderr


def test_cassettes_tell_the_cases(folder: Path) -> None:
    """The last answer of each conversation, with the task that it was asked for; a file that is there stays."""
    source = ROOT / "cassettes/local_model/blind"
    result = run("init", "--from", str(source), "--to", "ticket_contract.py")
    assert result.exit_code == 0, result.stderr
    assert "cases.jsonl: written\n" in result.stdout
    cases = [json.loads(line) for line in (folder / "cases.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {tuple(case) for case in cases} == {("name", "input", "expected")}
    assert len({case["name"] for case in cases}) == len({case["input"] for case in cases}) == len(cases) == 4
    assert len(case_references(folder / "cases.jsonl")) == len(cases)
    again = run("init", "--from", "answers.jsonl", "--to", "ticket_contract.py")
    assert "cases.jsonl" not in again.stdout  # answers alone do not tell what was asked


def test_examples_for_a_contract_that_is_there_become_cases_too(folder: Path) -> None:
    """Once they say what was asked."""
    run("init", "--from", "answers.jsonl")
    asked = {"input": "printer?", "answer": {"title": "Printer", "steps": ["look"]}}
    (folder / "log.jsonl").write_text(json.dumps(asked), encoding="utf-8")
    more = run("init", "--from", "log.jsonl")
    assert more.exit_code == 0, more.stderr
    assert more.stdout == (
        "cases.jsonl: written\nanswer_contract.py: is there already; 1 example contradicts nothing\n"
    )
    case = {"name": "line 1", "input": "printer?", "expected": asked["answer"]}
    assert json.loads((folder / "cases.jsonl").read_text(encoding="utf-8")) == case


@pytest.mark.parametrize("field", [(), ("--field", "answer")])
def test_lines_that_say_what_was_asked_become_cases(folder: Path, field: tuple[str, ...]) -> None:
    """Named by their own name or id, else by their line. The field of the answer is found beside the input."""
    records = [
        {"id": "a", "input": "printer?", "answer": {"title": "Printer", "steps": ["look"]}},
        {"prompt": {"text": "mail?"}, "answer": '{"title": "Mail", "steps": ["ask"]}'},
        {"answer": {"title": "Other", "steps": ["wait"]}},
    ]
    (folder / "log.jsonl").write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    assert run("init", "--from", "log.jsonl", *field).exit_code == 0
    lines = (folder / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == [
        {"name": "a", "input": "printer?", "expected": {"title": "Printer", "steps": ["look"]}},
        {"name": "line 2", "input": {"text": "mail?"}, "expected": {"title": "Mail", "steps": ["ask"]}},
    ]


@pytest.mark.parametrize("failed", ['{"prompt": "q", "error": "x"}', '{"prompt": "q", "output": null}', "not JSON"])
@pytest.mark.parametrize("first", [False, True])
def test_a_line_without_an_answer_is_left_out(failed: str, first: bool, folder: Path) -> None:
    """As in check, report and strength: a failed request says nothing about the answers."""
    answer = json.dumps({"prompt": "q", "output": {"title": "Printer", "steps": ["look"]}})
    lines = [failed, answer] if first else [answer, failed]
    (folder / "log.jsonl").write_text("\n".join([*lines, answer]), encoding="utf-8")
    result = run("init", "--from", "log.jsonl")
    assert (result.exit_code, "proposed from 2 examples" in result.stdout) == (0, True), result.output
    assert "prompt" not in (folder / "answer_contract.py").read_text(encoding="utf-8")


def test_a_question_and_its_answer_are_one_document(folder: Path) -> None:
    """Two texts may be what the model wrote."""
    (folder / "faq.jsonl").write_text('{"question": "Why?", "answer": "It rains."}\n', encoding="utf-8")
    assert run("init", "--from", "faq.jsonl").exit_code == 0
    assert "question: str" in (folder / "answer_contract.py").read_text(encoding="utf-8")


def test_answers_to_other_schemas_are_left_out(folder: Path) -> None:
    """The schema that requests force is proposed alone: an optional tool's arguments are no answers."""
    wanted = {"title": "Ticket", "type": "object", "properties": {"id": {"type": "integer"}}}
    tools = [{"type": "function", "function": {"name": "look_up", "parameters": {"type": "object", "properties": {}}}}]
    forced = {"response_format": {"type": "json_schema", "json_schema": {"schema": wanted}}}
    call = {"id": "c", "type": "function", "function": {"name": "look_up", "arguments": '{"q": "x"}'}}
    bodies = [(forced, {"content": '{"id": 1}'}), ({"tools": tools}, {"tool_calls": [call]})]
    bodies.append(({"tools": tools}, {"tool_calls": [call]}))
    _write_cassette(folder / "a.yaml", bodies)
    result = run("init", "--from", "a.yaml")
    assert "proposed from 1 example of Ticket; left out 2 answers to other requests (look_up)" in result.stdout
    assert "nothing is required" not in result.stdout


def test_proposals_that_require_nothing_say_so(folder: Path) -> None:
    """Examples without a common field make a contract that accepts {}, and the output says that."""
    (folder / "mixed.jsonl").write_text('{"a": 1}\n{"b": 2}\n{"a": 3}\n{"b": 4}\n', encoding="utf-8")
    result = run("init", "--from", "mixed.jsonl")
    assert "nothing is required: no field is in every example, so {} is valid" in result.stdout


def _write_cassette(path: Path, bodies: list[tuple[dict[str, Any], dict[str, Any]]]) -> None:
    interactions = []
    for asked, message in bodies:
        request = {"model": "m", "messages": [{"role": "user", "content": "Go"}], **asked}
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", **message}}
        response = {"status": {"code": 200, "message": "OK"}, "headers": {"content-type": ["application/json"]}}
        interactions.append({
            "request": {"method": "POST", "uri": CHAT, "headers": {}, "body": json.dumps(request)},
            "response": {**response, "body": {"string": json.dumps({"id": "c", "choices": [choice]})}},
        })  # fmt: skip
    path.write_text(yaml.safe_dump({"interactions": interactions, "version": 1}), encoding="utf-8")
