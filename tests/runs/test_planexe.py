"""Real outputs of a planning pipeline: the same levers judged by four models, and levers without stable ids."""

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from pytest_planguard import Contract, one_of
from pytest_planguard.runs.compare.compare import compare
from pytest_planguard.runs.compare.run_diff import RunDiff
from pytest_planguard.runs.load.load import load_run
from pytest_planguard.runs.load.source import LoadOptions
from pytest_planguard.runs.model.run import Run
from pytest_planguard.runs.value_diff_options import diff_options

MODELS = ("gpt-4o-mini", "haiku-4.5", "llama3.1", "qwen3-30b")
PAIRS = list(combinations(MODELS, 2))
LEVER_MODELS = ("gpt-4o-mini", "gpt-5-nano", "gpt-oss-20b")


def compared(base: Path, candidate: Path, **options: Any) -> RunDiff:
    """Two files compared."""
    return compare(load_run(str(base)), load_run(str(candidate)), **options)


@pytest.mark.parametrize(("folder", "field"), [("it52_pr375", "classification"), ("it50_pr373", "score")])
@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_models_agree_where_their_verdicts_are_the_same(
    shared_data: Path, folder: str, field: str, one: str, other: str
) -> None:
    """Stable ids: a table of agreeing and differing verdicts for every two models, equal to a plain look-up by id."""
    paths = [shared_data / "planexe" / "pairs_dedup" / folder / f"silo__{model}.json" for model in (one, other)]
    verdicts = [
        {lever["lever_id"]: lever[field] for lever in json.loads(path.read_text(encoding="utf-8"))["response"]}
        for path in paths
    ]
    differ = {lever for lever, verdict in verdicts[0].items() if verdicts[1][lever] != verdict}
    options = diff_options(verdicts=[f"response[*].{field}"])
    (table,) = compared(*paths, fields=options).verdicts
    assert (table.total, table.agree, table.only_base, table.only_candidate) == (18, 18 - len(differ), 0, 0)
    assert {found.change.where for found in table.differ} == {f"response[lever_id={lever}].{field}" for lever in differ}
    assert sum(number for _, _, number in table.turns) == len(differ)


@pytest.mark.parametrize("model", LEVER_MODELS)
def test_levers_with_new_ids_give_metrics_and_no_rows(shared_data: Path, model: str) -> None:
    """Two prompts, no shared id and hardly a shared name: a handful of metrics instead of a hundred changes."""
    folder = shared_data / "planexe" / "pairs_levers"
    paths = [folder / prompt / f"silo__{model}.json" for prompt in ("it00_prnone", "it40_pr358")]
    sizes = [len(json.loads(path.read_text(encoding="utf-8"))) for path in paths]
    (case,) = compared(*paths).cases
    (value,) = case.values
    assert (len(value.changes), [found.key for found in value.unstable]) == (0, ["lever_id"])
    found = {metric.name: (metric.before, metric.after) for metric in value.metrics}
    assert found["items of (whole answer)"] == tuple(sizes)
    assert len(found) <= 8


def assessments(shared_data: Path, match: str) -> Run:
    """The 14 expert assessments, their conclusion judged."""
    allowed = ("Proceed with Caution", "Do Not Execute", "Execute Immediately")
    contract = Contract(None, name="Assessment", constraints=[
        one_of("go_no_go_recommendation", *allowed, match=match),  # type: ignore[arg-type]
    ])  # fmt: skip
    return load_run(str(shared_data / "planexe" / "expert_assessments"), LoadOptions((contract,)))


def test_conclusions_with_an_explanation_hold_by_prefix(shared_data: Path) -> None:
    """6 of 14 are exactly a choice, 14 of 14 begin with one; compared, 8 are fixed by the rule."""
    exact, prefix = assessments(shared_data, "exact"), assessments(shared_data, "prefix")
    assert [sum(row.ok for row in run.rows) for run in (exact, prefix)] == [6, 14]
    assert len(prefix.rows) == 14
    found = compare(exact, prefix)
    assert {bucket.value: n for bucket, n in found.counts.items() if n} == {"fixed": 8, "unchanged": 6}
    assert {str(broken) for case in found.cases for broken in case.repaired} == {"one_of at go_no_go_recommendation"}
