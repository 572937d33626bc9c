"""Reports of every kind in every form, by the names of the files that pin them; `make decisions` writes them again.

They show order, alignment, colours and markup, which no sentence in a test does.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import cache, partial
from itertools import combinations

from pytest_planguard import Contract, distinct
from pytest_planguard.contract.strength.evidence import GoodAnswer
from pytest_planguard.contract.strength.measure import Strength, measure
from pytest_planguard.pipeline.matrix import AttemptRecord, matrix_of
from pytest_planguard.plan_search.experiment import Experiment, Trial
from pytest_planguard.plan_search.loop import search
from pytest_planguard.plan_search.step import SearchConfig
from pytest_planguard.plans.judging.judge_files import check_text
from pytest_planguard.plans.plan import Edge, Plan, Task
from pytest_planguard.plans.plan_graph import graph_of
from pytest_planguard.plans.status import Status
from pytest_planguard.report.annotations import render_github
from pytest_planguard.report.ci_files import render_junit, render_sarif
from pytest_planguard.report.conversation import render_conversation
from pytest_planguard.report.diff_data import strategies_data
from pytest_planguard.report.finding_text import render_verdict
from pytest_planguard.report.forms import draw
from pytest_planguard.report.page import Page
from pytest_planguard.report.pages.comparison import StrategyReport, comparison_page, strategies_page
from pytest_planguard.report.pages.run import run_data, run_page, runs_page, session_page
from pytest_planguard.report.pages.search import experiment_svg, scorecard, scorecard_page, search_page
from pytest_planguard.report.pages.strength import strength_data, strength_page
from pytest_planguard.report.pages.tasks import matrix_page
from pytest_planguard.report.plain_text import json_text
from pytest_planguard.report.plan_picture import LINES, draw_graph
from pytest_planguard.report.plan_text import render_plan
from pytest_planguard.runs.compare.compare import compare
from pytest_planguard.runs.compare.deltas import compare_strategies
from pytest_planguard.runs.compare.run_diff import RunDiff
from pytest_planguard.runs.figures import figures_of_run
from pytest_planguard.runs.model.run import Run
from pytest_planguard.runs.value_diff_options import diff_options

from ...plan_search.pipelines import Scripted
from ...support.plans import text_of
from ...support.runs import attempt, bad, case, finding, good, missing, run
from ...support.verdicts import BAD, PRIORITY, STEPS, lost_retry, verdict
from ...support.whole import Outputs
from ..diff.test_baseline import held
from ..diffs import NOW, odd_diff, report
from ..forms import render_json
from ..talks import HISTORY, talks_report

# "<style>…</style>", "<script>…</script>", and the hashes of both in the page's policy: "'sha256-…'"
_STATIC = re.compile(r"(<(style|script)\b[^>]*>).*?(</\2>)", re.DOTALL)
_POLICY = re.compile(r"'sha256-[^']*'")
_ENDINGS = {"text": "txt", "markdown": "md", "html": "html"}
_DOCUMENT_OF_PICTURES = {"text": "txt", "mermaid": "mmd", "dot": "dot", "svg": "svg"}


@cache
def reports() -> Outputs:
    """Return what makes each report, by the name of its file: "reviews.md"."""
    found: dict[str, Callable[[], str]] = {}
    for name, page in _pages().items():
        for form, ending in _ENDINGS.items():
            found[f"{name}.{ending}"] = partial(_drawn, page, form)
    return found | _comparisons() | _pictures() | _answers()


def _drawn(page: Callable[[], Page], form: str) -> str:
    return _without_static(draw(page(), form))


def _without_static(text: str) -> str:
    """Return a page without its style and script, which are the same on every page."""
    return _POLICY.sub("'sha256-…'", _STATIC.sub(r"\1…\3", text)).rstrip("\n") + "\n"


def _pages() -> dict[str, Callable[[], Page]]:
    return {
        "reviews": lambda: comparison_page(report()),
        "odd": lambda: comparison_page(report(odd_diff())),
        "many": lambda: comparison_page(report(many_diff())),
        "talks": lambda: comparison_page(talks_report()),
        "known": lambda: comparison_page(held()),
        "strategies": lambda: strategies_page(_strategies()),
        "run": lambda: run_page(_run(), figures_of_run(_run()), NOW, HISTORY),
        "runs": lambda: runs_page([(one.header, figures_of_run(one)) for one in (_run(), run("b", []))], ["a note"]),
        "session": lambda: session_page(_run(), passed=False, now=NOW, hints=["record `a` again"]),
        "search": lambda: search_page(search(Scripted({"g_plan": ["x", "ok"]}).steps, SearchConfig(escalates=False))),
        "scorecard": lambda: scorecard_page(scorecard(_EXPERIMENT)),
        "strength": lambda: strength_page(_strength()),
        "matrix": lambda: matrix_page(matrix_of(_RECORDS)),
    }


def _comparisons() -> dict[str, Callable[[], str]]:
    return {
        "odd-in-colour.txt": lambda: draw(comparison_page(report(odd_diff())), "text", color=True, verbose=True) + "\n",
        "talks.json": lambda: render_json(talks_report()) + "\n",
        "odd.json": lambda: render_json(report(odd_diff())) + "\n",
        "odd.xml": lambda: render_junit(report(odd_diff())) + "\n",
        "odd.sarif": lambda: render_sarif(report(odd_diff()), "1.2.3") + "\n",
        "known.xml": lambda: render_junit(held()) + "\n",
        "known.sarif": lambda: render_sarif(held(), "1.2.3") + "\n",
        "known-commands.txt": lambda: render_github(held()) + "\n",
        "odd-commands.txt": lambda: render_github(report(odd_diff())) + "\n",
        "many-commands.txt": lambda: render_github(report(many_diff(), prefix="app")) + "\n",
        "strategies.json": lambda: json_text(strategies_data(_strategies())) + "\n",
        "run.json": lambda: json_text(run_data(_run(), figures_of_run(_run()))) + "\n",
        "curve.svg": lambda: experiment_svg(_EXPERIMENT) + "\n",
    }


def _pictures() -> dict[str, Callable[[], str]]:
    found = {
        f"{name}.{ending}": lambda plan=plan, form=form: draw_graph(graph_of(plan()), form)
        for name, plan in (("plan", _plan), ("wide-plan", _wide_plan))
        for form, ending in _DOCUMENT_OF_PICTURES.items()
    }
    return {
        **found,
        "long-plan.txt": lambda: draw_graph(graph_of(_long_plan()), "text"),
        "dense-plan.mmd": lambda: draw_graph(graph_of(_dense_plan()), "mermaid"),
    }


def _answers() -> dict[str, Callable[[], str]]:
    sound = text_of("spec-kit-tasks")[1]
    broken = sound.replace("] T002 [P]", "] T001 [P]").replace("T003-T004", "T003, T040")
    stale = run("stale", [good(name, stale=("the prompt changed",)) for name in "ab"])
    of_runs = {"stale-run": stale, "one-stale-run": run("b", stale.rows[:1]), "empty-run": run("c", [])}
    return {
        "conversation.txt": lambda: render_conversation(lost_retry()) + "\n",
        "conversation-in-colour.txt": lambda: render_conversation(lost_retry(), color=True) + "\n",
        "verdict-in-colour.txt": lambda: render_verdict(verdict(BAD, PRIORITY, STEPS), color=True) + "\n",
        "unread-plan.txt": lambda: render_plan(check_text("# Notes\n", path="notes.md"), everything=True) + "\n",
        "sound-plan.txt": lambda: render_plan(check_text(sound, path="tasks.md"), everything=True) + "\n",
        "broken-plan.txt": lambda: render_plan(check_text(broken, path="tasks.md"), everything=True) + "\n",
        "broken-plan-in-colour.txt": lambda: render_plan(check_text(broken, path="tasks.md"), color=True) + "\n",
        **{
            f"{name}.txt": partial(_drawn, partial(run_page, one, figures_of_run(one)), "text")
            for name, one in of_runs.items()
        },
        "strength.json": lambda: json_text(strength_data(_strength())) + "\n",
    }


# What the reports are about


def _strategies() -> StrategyReport:
    wrong, answer = finding("missing", ("x",)), '{"verdict": "%s", "n": %d}'
    second = {
        "blind": [attempt("1", wrong), attempt("1", wrong)],
        "feedback": [attempt("1", wrong), attempt(answer % ("go", 1), tokens=1_500)],
        "in|ject": [attempt(answer % ("stop", 2))],
    }
    runs = [run(name, [good("a", answer % ("go", 1)), case("b", *tried)]) for name, tried in second.items()]
    found = tuple(compare(one, other, diff_options(verdicts=["verdict"])) for one, other in combinations(runs, 2))
    return StrategyReport(compare_strategies(runs), found, ("b.yaml cannot be read",))


def many_diff() -> RunDiff:
    """More changes, failures and annotations than a form shows; verdicts that only one of the runs has."""
    fields = {f"f{n:03}": n for n in range(120)}
    answers = [json.dumps({"verdict": "go", **fields}), json.dumps({"verdict": "stop", **dict.fromkeys(fields, 0)})]
    base = [good("wide", answers[0]), *(good(f"c{n:02}") for n in range(13)), good("judged", '{"verdict": "go"}')]
    now = [good("wide", answers[1]), *(bad(f"c{n:02}", path=("a", n)) for n in range(13)), good("judged")]
    now[1] = replace(now[1], test="C:/app/test_x.py::test_c00")
    return compare(run("a", base), run("b", now), diff_options(verdicts=["verdict"]))


def _run() -> Run:
    talk = talks_report().diff
    rows = [pair.candidate[0] for pair in talk.cases if pair.candidate]
    kinds = [finding(kind, ("a", 0)) for kind in ("missing", "enum")]
    many = [case(f"n{n}", attempt("{}", *kinds[: n % 3]), model=f"m-{n % 2}") for n in range(5)]
    odd = [good("old", stale=("the prompt changed",)), missing("lost", finding("count", ("steps",)))]
    created = (NOW - timedelta(days=3)).isoformat()
    return run("nightly", [*rows, *many, *odd], created=created, commit="a" * 40, dirty=True, packages={"b": "2"})


def _strength() -> Strength:
    answers = [GoodAnswer("line 1", {"steps": ["Cut the power", "Call for help"], "owner": "Ann"})]
    schema = {"type": "object", "properties": {"steps": {"type": "array"}}, "required": ["steps"]}
    return measure(Contract(schema, constraints=[distinct("steps")], name="ticket"), answers)


def _trial(problem: str, policy: str, calls: int | None, misses: int = 0, *jumps: int) -> Trial:
    category = "feature" if problem > "a" else "bug fix"
    return Trial(problem, policy, 0, calls is not None, calls or 30, "", category, misses, jumps)


_EXPERIMENT = Experiment((
    *(_trial("a", "cbj", 4), _trial("b", "cbj", 15, 0, 1, 1, 2), _trial("c", "cbj", None)),
    *(_trial("a", "full", 8, 0, 3), _trial("b", "full", None, 9), _trial("c", "full", 22)),
))  # fmt: skip
_RECORDS = [
    *(AttemptRecord("Plan", "small", kind, 1.0) for kind in ("fail:prose", "pass", "pass", "pass", "pass", "pass")),
    *(AttemptRecord("Review", "small", kind, 2.0) for kind in ("fail:schema_echo", "pass")),
    *(AttemptRecord("Plan", "<b>large|", kind, 3.0) for kind in ("fail:type", "error:transport")),
]


def _plan() -> Plan:
    """A plan with a critical path, a cycle, an unknown name, shared files and every status."""
    edges = {"a": "", "b": "a", "c": "a", "d": "b c", "e": "", "f": "d a e", "x": "y", "y": "x", "z": "gone", "w": "w"}
    status = [Status.DONE, Status.ACTIVE, Status.REVIEW, Status.BLOCKED, Status.TODO, Status.CANCELLED, None]
    tasks = tuple(
        Task(name, name, f"Do {name} & <more>", edges=tuple(Edge(to, to) for to in waits.split()), status=status[n % 7])
        for n, (name, waits) in enumerate(edges.items())
    )
    return Plan("task-list", "Login", tasks=tasks, find=lambda _: {})


def _wide_plan() -> Plan:
    """A plan of more columns than a band has, with arrows over columns and bands."""
    chain = {f"t{n}": f"t{n - 1}" if n else "" for n in range(9)}
    waits = chain | {"far": "t0 t7", "long name of a task that no box has the room for": "t2"}
    waits |= {f"s{n}": "t0" for n in range(10)} | {"last": "s1 s9 t8"}
    tasks = tuple(Task(n, n, f"Step {n}", edges=tuple(Edge(to, to) for to in of.split())) for n, of in waits.items())
    return Plan("task-list", "", tasks=tasks, find=lambda _: {})


def _long_plan() -> Plan:
    """A plan with one task more in a wave than the text names."""
    return Plan("task-list", "", tasks=tuple(Task(f"t{n}", f"t{n}", "") for n in range(LINES + 1)), find=lambda _: {})


def _dense_plan() -> Plan:
    """A plan with more arrows than a picture has."""
    first = tuple(Task(f"a{n}", f"a{n}", "") for n in range(22))
    edges = tuple(Edge(task.key, task.key) for task in first)
    return Plan("task-list", "", tasks=(*first, *(Task(f"b{n}", f"b{n}", "", edges=edges) for n in range(22))))
