"""Three and more runs side by side: the same figures in every form."""

import json
import re
from itertools import combinations

import jsonschema_rs
import pytest

from pytest_planguard.report.comparison_words import PAIRS, STRATEGIES
from pytest_planguard.report.diff_data import strategies_data
from pytest_planguard.report.pages.comparison import StrategyReport
from pytest_planguard.report.plain_text import json_text
from pytest_planguard.runs.compare.compare import compare
from pytest_planguard.runs.compare.deltas import compare_strategies
from pytest_planguard.runs.value_diff_options import diff_options

from ..support.paths import ROOT
from ..support.runs import attempt, case, finding, good, run
from .forms import strategies
from .html_reader import Reader

WRONG = finding("missing", ("x",))
REFERENCE = ROOT / "docs" / "reference"


@pytest.fixture(scope="module")
def report() -> StrategyReport:
    """Two tasks in three strategies, with a field that is a conclusion."""
    answer = '{"verdict": "%s"}'
    second = {
        "blind": [attempt("1", WRONG), attempt("1", WRONG)],
        "feedback": [attempt("1", WRONG), attempt(answer % "go", tokens=1_500)],
        "in|ject": [attempt(answer % "stop")],
    }
    runs = [run(name, [good("a", answer % "go"), case("b", *tried)]) for name, tried in second.items()]
    options = diff_options(verdicts=["verdict"])
    found = tuple(compare(one, other, options) for one, other in combinations(runs, 2))
    return StrategyReport(compare_strategies(runs), found, ("b.yaml: <b>cannot be read",))


def test_the_markdown_has_arms_pairs_comparisons_conclusions_and_notes(report: StrategyReport) -> None:
    """Tables that a job's summary shows; names are code, and a bar in one breaks no table."""
    assert (
        strategies(report, "markdown")
        == rf"""| strategy | tasks | valid by 1 | valid by 2 | rescued | stuck | false convergence | calls | tokens |
|---|---|---|---|---|---|---|---|---|
| `blind` | 2 | 1 | 1 | 0/1 | 0 | 0 | 3 | - |
| `feedback` | 2 | 1 | 2 | 1/1 | 0 | 0 | 3 | 3,000 |
| `in\|ject` | 2 | 2 | 2 | 0/0 | 0 | 0 | 2 | - |

- valid by N: tasks with a valid answer after at most N attempts
- rescued: of the tasks whose first answer was not valid, those whose last answer is
- stuck: tasks that ended with an answer they had given before, still not valid
- false convergence: tasks whose last answer is valid, but a copy of the prompt, an example or the feedback

**Which gets more tasks valid**

| strategy | against | result | evidence |
|---|---|---|---|
| `feedback` | `blind` | no evidence | only `feedback` 1, only `blind` 0 of 2 tasks, exact McNemar p = 1 |
| `in\|ject` | `blind` | no evidence | only `in\|ject` 1, only `blind` 0 of 2 tasks, exact McNemar p = 1 |
| `in\|ject` | `feedback` | no evidence | only `in\|ject` 0, only `feedback` 0 of 2 tasks, exact McNemar p = 1 |

- only: tasks that this run alone gets valid
- p: {dict(PAIRS)["p"]}

**Every two compared**

| before | now | cases |
|---|---|---|
| `blind` | `feedback` | 1 fixed, 1 unchanged |
| `blind` | `in\|ject` | 1 fixed, 1 unchanged |
| `feedback` | `in\|ject` | 1 changed but valid, 1 unchanged |

**`blind` → `feedback`, `verdict`: 1 of 1 agree**

**`blind` → `in\|ject`, `verdict`: 1 of 1 agree**

**`feedback` → `in\|ject`, `verdict`: 1 of 2 agree**

| before | now | times |
|---|---|---|
| `go` | `stop` | 1 |

- note: `b.yaml: <b>cannot be read`"""
    )


def test_the_page_has_the_same_figures_and_no_script(report: StrategyReport) -> None:
    """Every cell of the text stands in the page, escaped; nothing runs in it."""
    page = strategies(report, "html")
    for _, meaning in (*STRATEGIES, *PAIRS):
        assert f"<dd>{meaning}</dd>" in page
        assert meaning in strategies(report, "text")
    for cell in ("in|ject", "3,000", "only feedback 1, only blind 0 of 2 tasks, exact McNemar p = 1", "1 of 2 agree"):
        assert cell in Reader(page).text
        assert cell in strategies(report, "text")
    assert "&lt;b&gt;cannot be read" in page
    assert "script" not in [tag for tag, _ in Reader(page).tags]


def test_the_data_have_every_two_runs_in_full(report: StrategyReport) -> None:
    """Strategies, pairs, comparisons; rows where they are asked for; without judgement no strategies."""
    data = strategies_data(report, rows=True)
    assert [len(data[name]) for name in ("strategies", "pairs", "comparisons")] == [3, 3, 3]
    assert data["comparisons"][2]["counts"]["changed_valid"] == 1
    assert data["comparisons"][0]["cases"][0]["base"]
    bare = strategies_data(StrategyReport(None, report.comparisons))
    assert (bare["strategies"], bare["pairs"], len(bare["comparisons"])) == ([], [], 3)


@pytest.mark.parametrize("rows", [False, True])
def test_the_published_schema_holds(report: StrategyReport, rows: bool) -> None:
    """The whole document, each comparison by the schema of two runs; anything more, or less, is refused."""

    def schema(uri: str) -> object:
        return json.loads((REFERENCE / uri.rpartition("/")[2]).read_text(encoding="utf-8"))

    validator = jsonschema_rs.validator_for(schema("run-strategies.schema.json"), retriever=schema)
    data = json.loads(json_text(strategies_data(report, rows=rows)))
    validator.validate(data)
    validator.validate(json.loads(json_text(strategies_data(StrategyReport(None, report.comparisons)))))
    assert not validator.is_valid({**data, "more": 1})
    assert not validator.is_valid({**data, "comparisons": [{**data["comparisons"][0], "more": 1}]})
    assert not validator.is_valid({**data, "strategies": [{**data["strategies"][0], "calls": None}]})


def test_runs_that_are_compared_by_metrics_show_them(report: StrategyReport) -> None:
    """Every two runs have their figures in text, Markdown and page; without metrics there is no such table."""
    sizes = {"x": 1, "y": 2, "z": 2}
    runs = [run(name, [good("a", json.dumps({"steps": [{"id": 1}] * size}))]) for name, size in sizes.items()]
    found = [compare(one, other, metrics=True) for one, other in combinations(runs, 2)]
    measured = StrategyReport(None, tuple(found))
    assert re.search(r"(?m)^items of steps +1 +2 +\+100\.0 %$", strategies(measured, "text"))
    markdown = strategies(measured, "markdown")
    assert markdown.count("| `items of steps` | 1 | 2 | +100.0 % |") == 2
    assert "\n\n**`y` → `z`**\n\n| figure | before | now | change |\n" in markdown
    assert strategies(measured, "html").count("<bdi>items of steps</bdi>") == 3
    assert "figure" not in strategies(report, "markdown") + strategies(report, "html").partition("<h1>")[2]
