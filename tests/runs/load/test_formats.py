"""The table of formats: each file is recognised by one row, and reading judges nothing."""

import json
from pathlib import Path

import pytest

from pytest_planguard import Contract, one_of
from pytest_planguard.errors import RunError
from pytest_planguard.runs.load.load import FORMATS, load_run, read_run
from pytest_planguard.runs.load.source import LoadOptions, Source
from pytest_planguard.runs.store.store import Store

from ...support.exchanges import chat, user, write
from ...support.paths import ROOT
from ...support.runs import good, run
from ...wire.logs.forms import FEEDBACK, langfuse_rows

CONTRACT = Contract(None, name="R", constraints=[one_of("r", "go")])
EVAL = ROOT / "fixtures" / "promptfoo"
RESULT = {"success": True, "response": {"output": '{"r": "maybe"}', "tokenUsage": {"prompt": 3, "completion": 4}}}
GRADED = {**RESULT, "vars": {"q": "a"}, "gradingResult": {"pass": True}}

LOGGED = json.dumps(langfuse_rows(FEEDBACK)[0])


def format_of(source: Source) -> str:
    """The name of the row that recognises a source first."""
    return next(form.name for form in FORMATS if form.shape is source.shape and form.recognise(source))


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.jsonl", '{"planguard": "run", "schema": 1}\n', "run record"),
        ("a.jsonl", '{"answer": "x"}\n', "answers, one a line"),
        ("a.jsonl", json.dumps(GRADED) + "\n", "promptfoo JSON Lines"),
        ("a.jsonl", json.dumps(GRADED) + '\n{"answer": "x"}\n', "answers, one a line"),
        ("a.jsonl", '{"id": 1}\n' + LOGGED, "log lines"),
        ("a.json", json.dumps({"data": [json.loads(LOGGED)]}), "log"),
        ("a.json", json.dumps({"results": {"results": [GRADED]}}), "promptfoo JSON"),
        ("a.json", '{"cases": [{"name": "c", "assertions": {}}], "failures": []}', "pydantic-evals report"),
        ("a.yaml", "evalId: eval-1\nresults: []\n", "promptfoo YAML"),
        ("a.yaml", "interactions: []\nversion: 1\n", "cassette"),
        ("a.txt", "interactions: []\n", "cassette"),
        ("a.json", '{"my_interactions": []}', "answer"),
        ("a.md", "# plan", "answer"),
    ],
)
def test_a_file_has_the_format_of_its_content(tmp_path: Path, name: str, content: str, expected: str) -> None:
    """The end of the name decides only between one value a line and one document."""
    (tmp_path / name).write_text(content, encoding="utf-8")
    assert format_of(Source(str(tmp_path / name))) == expected


def test_a_log_is_no_run_of_answers(tmp_path: Path) -> None:
    """Its rows would all be bad answers. The message says how to read it, and a named field is one way."""
    path = tmp_path / "log.jsonl"
    path.write_text(LOGGED, encoding="utf-8")
    with pytest.raises(RunError, match=rf"^{path}: it is a log of calls, .* planguard check {path} --save NAME"):
        load_run(str(path))
    assert len(load_run(str(path), LoadOptions(answer_field="output")).rows) == 1


def test_a_folder_a_kept_run_and_a_variant_have_rows_too(tmp_path: Path) -> None:
    """A name that is no path is a kept run, else a variant of the cassettes below the root."""
    options = LoadOptions(root=tmp_path)
    Store(tmp_path).save("main", run("main", []).header, [])
    variant = tmp_path / "cassettes" / "test_x" / "gpt-5"
    variant.mkdir(parents=True)
    write(variant / "case.yaml", chat([user("hi")], "hello"))
    sources = [Source(name, options) for name in (str(tmp_path), "main", "gpt-5")]
    assert [format_of(source) for source in sources] == ["folder", "kept run", "variant"]


def test_reading_judges_nothing(tmp_path: Path) -> None:
    """A raw case has the answer, its tokens and what its tool said; the contract comes afterwards."""
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"results": [GRADED]}), encoding="utf-8")
    (case,) = read_run(str(path)).cases
    assert (case.row.key, case.answer is not None and case.answer.answer) == ("q=a", '{"r": "maybe"}')
    assert case.verdict is not None
    assert (case.verdict.tool, case.verdict.result) == ("promptfoo", "passed")
    assert [row.ok for row in load_run(str(path)).rows] == [True]
    (row,) = load_run(str(path), LoadOptions((CONTRACT,))).rows
    assert (row.ok, row.input_tokens, row.output_tokens) == (False, 3, 4)


def test_a_contract_judges_a_kept_run_as_well(tmp_path: Path) -> None:
    """Wherever an answer comes from, the named contract judges it."""
    kept = run("main", [good("a", '{"r": "maybe"}')])
    Store(tmp_path).save("main", kept.header, kept.rows)
    assert [row.ok for row in load_run("main", LoadOptions(root=tmp_path)).rows] == [True]
    (row,) = load_run("main", LoadOptions((CONTRACT,), root=tmp_path)).rows
    assert (row.ok, row.judged[0].contract, row.judged[0].digest) == (False, "R", CONTRACT.digest)


@pytest.mark.parametrize("file", ["eval.json", "eval.jsonl"])
def test_result_files_keep_their_format_in_a_folder(tmp_path: Path, file: str) -> None:
    """A folder's files are read as they are by themselves."""
    (tmp_path / file).write_bytes((EVAL / file).read_bytes())
    alone, inside = load_run(str(EVAL / file)), load_run(str(tmp_path))
    assert [(row.key, row.variant, row.ok) for row in inside.rows] == [
        (row.key, row.variant, row.ok) for row in alone.rows
    ]
