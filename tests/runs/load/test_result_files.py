"""Result files of other evaluation tools become runs like any other."""

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_planguard import Contract, one_of
from pytest_planguard.errors import RunError
from pytest_planguard.runs.compare.compare import compare
from pytest_planguard.runs.compare.run_diff import Bucket
from pytest_planguard.runs.load.load import load_run
from pytest_planguard.runs.load.source import LoadOptions
from pytest_planguard.runs.model.run import CaseRow

from ...support.paths import ROOT

EVAL = ROOT / "fixtures" / "promptfoo"


def promptfoo(success: bool, output: Any, **changed: Any) -> dict[str, Any]:
    """One result as promptfoo writes it."""
    part = {"pass": success, "score": 0, "reason": "data/r must be equal to one of the allowed values",
            "assertion": {"type": "is-json"}}  # fmt: skip
    return {
        "success": success,
        "testIdx": 3,
        "vars": {"q": "a"},
        "prompt": {"raw": "Say {{q}}", "label": "v1"},
        "provider": {"id": "openai:gpt-4", "label": ""},
        "response": {"output": output, "tokenUsage": {"prompt": 10, "completion": 5, "total": 15}},
        "latencyMs": 1500,
        "cost": 0.002,
        "namedScores": {"fluency": 0.9},
        "gradingResult": {"pass": success, "reason": "x", "componentResults": [part]},
        **changed,
    }


def evals(value: bool, output: Any) -> dict[str, Any]:
    """A report of two cases, one of which raised, as pydantic-evals dumps it."""
    case = {
        "name": "c1", "inputs": {"q": "hi"}, "output": output, "metrics": {"input_tokens": 7, "cost": 0.002},
        "scores": {"score": {"name": "score", "value": 0.5}}, "labels": {}, "task_duration": 0.25,
        "assertions": {"ok": {"name": "ok", "value": value, "reason": "too short"}},
        "source_case_name": None, "evaluator_failures": [],
    }  # fmt: skip
    failed = {"name": "c2", "inputs": {"q": "boom"}, "error_message": "ValueError: no", "error_stacktrace": "…"}
    return {"name": "task", "cases": [case], "failures": [failed]}


def write(path: Path, data: Any) -> str:
    """The data as a file."""
    path.write_text(json.dumps(data), encoding="utf-8")
    return str(path)


def test_promptfoo_results_are_cases(tmp_path: Path) -> None:
    """Verdict, failed assertions, provider, prompt label, tokens, cost, latency and scores; inputs identify."""
    path = write(tmp_path / "a.json", {"evalId": "e", "results": {"version": 3, "results": [promptfoo(False, "{}")]}})
    (row,) = load_run(path).rows
    assert (row.key, row.result, row.model, row.variant) == ("q=a", "failed", "openai:gpt-4", "v1")
    assert (row.input_tokens, row.output_tokens, row.cost, row.latency_s) == (10, 5, 0.002, 1.5)
    assert (dict(row.scores), row.inputs is not None) == ({"fluency": 0.9}, True)
    assert [(f.code, f.message[:6]) for f in row.judged[0].attempts[0].findings] == [("is-json", "data/r")]


def test_what_promptfoo_took_from_its_cache_has_no_time_and_no_cost(tmp_path: Path) -> None:
    """A cached answer took the time of the cache; a cost of 0 stands where the provider's price is unknown."""
    cached = {"output": "{}", "cached": True, "tokenUsage": {"prompt": 10, "completion": 5}}
    results = [promptfoo(True, "{}", response=cached), promptfoo(True, "{}", cost=0, testIdx=4)]
    first, second = load_run(write(tmp_path / "a.json", {"results": {"version": 3, "results": results}})).rows
    assert (first.latency_s, first.cost, first.input_tokens) == (None, None, 10)
    assert (second.latency_s, second.cost) == (1.5, None)


@pytest.mark.parametrize("file", ["eval.json", "eval.jsonl"])
def test_what_promptfoo_really_writes_is_read(file: str) -> None:
    """Both forms: cases by description or variables, two prompts apart, a provider's error that is no answer."""
    rows = load_run(str(EVAL / file)).rows
    found = {(row.key, row.variant): row for row in rows}
    crash, printer, broken, paper = "crash", "printer", "task=a broken one", "task=no paper"
    other = "prompt 75757c55"
    assert {name: row.result for name, row in found.items()} == {
        (crash, "v1"): "error", (printer, "v1"): "passed", (broken, "v1"): "failed", (paper, "v1"): "failed",
        (crash, other): "error", (printer, other): "passed", (broken, other): "failed", (paper, other): "passed",
    }  # fmt: skip
    row = found[paper, "v1"]
    assert (row.model, row.cost, row.input_tokens, row.output_tokens) == ("answers-1", 0.0005, 12, 30)
    assert [f.code for f in row.judged[0].attempts[0].findings] == ["is-json"]
    assert (found[broken, "v1"].cost, found[crash, "v1"].judged, dict(row.scores)) == (None, (), {"short": 1.0})
    assert len({row.prompt for row in rows}) == 2


def row_of(folder: Path, **changed: Any) -> CaseRow:
    """The case of one result, changed in this way."""
    (row,) = load_run(write(folder / "a.json", {"results": [promptfoo(False, "{}", **changed)]})).rows
    return row


def test_variables_that_name_a_case_are_cut_with_a_digest(tmp_path: Path) -> None:
    """After 80 characters, so that two cases with one beginning stay apart. Without variables the number names it."""
    whole = "x" * 78
    assert row_of(tmp_path, vars={"q": whole}).key == f"q={whole}"
    keys = [row_of(tmp_path, vars={"q": f"{whole}x{end}"}).key for end in "ab"]
    assert [key[:81] for key in keys] == [f"q={whole}~"] * 2
    assert [len(key) for key in keys] == [89, 89]
    assert keys[0] != keys[1]
    assert row_of(tmp_path, vars={"q": 1, "r": "b"}).key == "q=1, r=b"
    assert row_of(tmp_path, vars={}).key == "test 3"
    nameless = {key: value for key, value in promptfoo(True, "{}", vars={}).items() if key != "testIdx"}
    (row,) = load_run(write(tmp_path / "b.json", {"results": [{**nameless, "id": "r9"}]})).rows
    assert (row.key, row.inputs) == ("test r9", None)


def test_a_case_is_named_by_its_test_before_its_result(tmp_path: Path) -> None:
    """The declared variables and the description of the test, else those of the result."""
    declared = {"vars": {"q": "b"}, "description": "tested"}
    assert row_of(tmp_path, testCase=declared, description="told").key == "tested"
    assert row_of(tmp_path, testCase={"vars": {"q": "b"}}).key == "q=b"
    assert row_of(tmp_path, testCase={"vars": {"q": "b"}}, description="told").key == "told"
    assert row_of(tmp_path, description=7).key == "q=a"


def test_the_model_of_a_result_is_the_label_or_id_of_its_provider(tmp_path: Path) -> None:
    """Or the provider itself, if it is a text."""
    assert row_of(tmp_path, provider={"id": "openai:gpt-4", "label": "big"}).model == "big"
    assert row_of(tmp_path, provider="openai:gpt-4").model == "openai:gpt-4"
    assert row_of(tmp_path, provider={"id": 7}).model is row_of(tmp_path, provider=None).model is None


def test_the_variant_of_a_result_is_the_name_of_its_prompt(tmp_path: Path) -> None:
    """A label that is the template itself, or too long for a name, is none; of several prompts each has its id."""

    def variant(label: object, raw: str = "Say {{q}}") -> str | None:
        return row_of(tmp_path, prompt={"raw": raw, "label": label}).variant

    assert [variant("v" * 80), variant("v" * 81)] == ["v" * 80, None]
    assert variant("Say {{q}}") is variant("short", "short") is variant("") is variant(1) is None
    results = [promptfoo(True, "{}", promptId=f"{n:x}" * 64, prompt={"raw": "x", "label": "x"}) for n in (10, 11)]
    rows = load_run(write(tmp_path / "b.json", {"results": results})).rows
    assert [(row.variant, row.prompt) for row in rows] == [("prompt aaaaaaaa", "a" * 12), ("prompt bbbbbbbb", "b" * 12)]
    assert row_of(tmp_path, promptId="a" * 64, prompt={"raw": "x", "label": "x"}).variant is None


def test_an_answer_that_a_provider_failed_to_give_is_an_error(tmp_path: Path) -> None:
    """It has no time, and its text, if any, is no answer. Only a success that is true is one."""
    failed = row_of(tmp_path, failureReason=2)
    assert (failed.result, failed.latency_s, failed.judged) == ("error", None, ())
    assert row_of(tmp_path, failureReason=1).result == "failed"
    told = promptfoo(True, "{}") | {"success": "true"}
    assert [row.result for row in load_run(write(tmp_path / "b.json", {"results": [told]})).rows] == ["failed"]


@pytest.mark.parametrize("depth", [0, 1, 2, 3, 4])
def test_results_may_stand_three_levels_deep(tmp_path: Path, depth: int) -> None:
    """Deeper ones are a plain answer."""
    data: Any = [promptfoo(True, "{}")]
    for _ in range(depth):
        data = {"results": data}
    (row,) = load_run(write(tmp_path / "a.json", data)).rows
    assert row.key == ("answer" if depth > 3 else "q=a")


def test_a_report_without_a_case_or_with_other_verdicts(tmp_path: Path) -> None:
    """An assertion that is not true fails; a repeated case is known by the name of its source."""
    report = evals(True, "x")
    report["cases"][0] |= {"source_case_name": "src", "inputs": None}
    report["cases"][0]["assertions"]["odd"] = {"name": "odd", "value": "yes", "reason": "no bool"}
    (_, row) = load_run(write(tmp_path / "a.json", report)).rows
    assert (row.key, row.result, row.inputs) == ("src", "failed", None)
    assert [(f.code, f.message) for f in row.judged[0].attempts[0].findings] == [("odd", "no bool")]
    (row,) = load_run(write(tmp_path / "b.json", {**report, "cases": []})).rows
    assert row.key == "answer"


def test_a_repeated_test_is_the_same_case(tmp_path: Path) -> None:
    """Promptfoo counts repetitions on as further tests; they are samples of one case, also under a description."""
    results = [promptfoo(ok, "{}", testIdx=n, testCase={"vars": {"q": "a"}}) for n, ok in enumerate((True, False))]
    assert [row.key for row in load_run(write(tmp_path / "a.json", {"results": results})).rows] == ["q=a", "q=a"]
    described = [
        promptfoo(True, "{}", testIdx=n, testCase={"description": "d", "vars": {"q": q}}) for n, q in enumerate("aab")
    ]
    keys = [row.key for row in load_run(write(tmp_path / "b.json", {"results": described})).rows]
    assert keys == ["d: q=a", "d: q=a", "d: q=b"]


def test_assertions_are_told_apart_by_their_metric(tmp_path: Path) -> None:
    """Two of one type are two rules; a score below its threshold is one too, although no assertion failed."""
    parts = [
        {"pass": False, "reason": "no", "assertion": {"type": "javascript", "metric": name}}
        for name in ("short", "kind")
    ]
    graded = {"pass": False, "reason": "x", "componentResults": parts}
    below = {"pass": False, "reason": "Score 0.4 below 0.5", "componentResults": []}
    results = [
        promptfoo(False, "{}", gradingResult=found, vars={"q": name}) for name, found in (("a", graded), ("b", below))
    ]
    rows = load_run(write(tmp_path / "a.json", {"results": results})).rows
    codes = [[finding.code for finding in row.judged[0].attempts[0].findings] for row in rows]
    assert codes == [["javascript (short)", "javascript (kind)"], ["score"]]


def test_the_form_that_is_not_read_is_named(tmp_path: Path) -> None:
    """Promptfoo's YAML would pass for one good answer."""
    path = tmp_path / "a.yaml"
    path.write_text("evalId: eval-1\nresults:\n  version: 3\n", encoding="utf-8")
    with pytest.raises(
        RunError, match=r"it is what promptfoo writes as YAML, which is not read\. Write JSON: promptfoo"
    ):
        load_run(str(path))


def test_two_promptfoo_runs_compare(tmp_path: Path) -> None:
    """A new failure with its changed field; a provider error is an error, not an answer."""
    base = write(tmp_path / "a.json", {"results": {"results": [promptfoo(True, {"r": "go"})]}})
    candidate = write(tmp_path / "b.json", {"results": {"results": [promptfoo(False, {"r": "maybe"})]}})
    (case,) = compare(load_run(base), load_run(candidate)).cases
    assert (case.bucket, [str(b) for b in case.broken], case.changes[0].where) == (
        Bucket.NEW_FAILURE, ["is-json"], "r",
    )  # fmt: skip
    broken = promptfoo(False, None, response={}, error="429")
    (row,) = load_run(write(tmp_path / "c.json", {"results": {"results": [broken]}})).rows
    assert (row.result, row.judged) == ("error", ())


def test_a_contract_judges_their_raw_answers(tmp_path: Path) -> None:
    """With a contract their own verdict does not count."""
    contract = Contract(None, name="R", constraints=[one_of("r", "go")])
    path = write(tmp_path / "a.json", {"results": {"results": [promptfoo(True, '{"r": "maybe"}')]}})
    (row,) = load_run(path, LoadOptions((contract,))).rows
    assert (row.ok, row.judged[0].contract) == (False, "R")


def test_pydantic_evals_reports_are_cases(tmp_path: Path) -> None:
    """Assertions are rules, scores are scores, a case that raised is an error."""
    rows = {row.key: row for row in load_run(write(tmp_path / "a.json", evals(False, {"a": "h"}))).rows}
    assert (rows["c1"].result, rows["c1"].latency_s, dict(rows["c1"].scores)) == ("failed", 0.25, {"score": 0.5})
    assert (rows["c1"].input_tokens, rows["c1"].answers) == (7, ('{"a": "h"}',))
    assert (rows["c1"].cost, load_run(str(tmp_path / "a.json")).name) == (0.002, str(tmp_path / "a.json"))
    assert (rows["c2"].result, rows["c2"].ok) == ("error", False)
    found = compare(load_run(str(tmp_path / "a.json")), load_run(write(tmp_path / "b.json", evals(True, {"a": "hi"}))))
    assert {bucket.value: n for bucket, n in found.counts.items() if n} == {"fixed": 1, "still_failing": 1}


def test_an_answer_that_only_looks_like_a_result_is_an_answer(tmp_path: Path) -> None:
    """Fields of the same name in a plain answer do not make it a result file; broken JSON neither."""
    for name, text in (("a", '{"results": [{"gradingResult": 1}]}'), ("b", '{"assertions": {"cases": []'), ("c", "[]")):
        (tmp_path / f"{name}.json").write_text(text)
        (row,) = load_run(str(tmp_path / f"{name}.json")).rows
        assert (row.key, row.answers, row.is_judged) == ("answer", (text,), False)
