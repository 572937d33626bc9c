"""The page of a comparison, block by block: weaker code, facts, verdicts, cases, and several runs side by side."""

from __future__ import annotations

from dataclasses import replace
from textwrap import indent

import pytest

from pytest_planguard.replay.session.rerecord import RerecordHint
from pytest_planguard.report.comparison_words import DiffReport
from pytest_planguard.report.forms import draw
from pytest_planguard.report.forms.text import block_lines
from pytest_planguard.report.page import Cases, Facts, Page, plain
from pytest_planguard.report.pages.comparison import (
    StrategyReport,
    case_view,
    case_why,
    comparison_page,
    figures_table,
    render_task,
    strategies_page,
    verdict_tables,
    weakened_blocks,
)
from pytest_planguard.runs.compare.compare import compare
from pytest_planguard.runs.compare.deltas import Strategy, StrategyPair, StrategyTable
from pytest_planguard.runs.compare.run_diff import (
    Axis,
    Bucket,
    CaseDiff,
    Disagreement,
    Figure,
    RunDiff,
    ValueDiff,
    VerdictTable,
)
from pytest_planguard.runs.gate.gate import GateResult
from pytest_planguard.runs.gate.known_failures import KnownFailure
from pytest_planguard.runs.gate.schema_changes import Effect, SchemaChange
from pytest_planguard.runs.gate.tree_facts import ContractChange
from pytest_planguard.runs.gate.weakening import Weakening, Weight
from pytest_planguard.runs.model.broken_rules import Broken
from pytest_planguard.runs.model.judged_answers import Said
from pytest_planguard.runs.model.run import RunHeader
from pytest_planguard.runs.value_diff import ChangeKind, FieldChange
from pytest_planguard.statistics import Paired

from ...support.runs import bad, good, run
from ..diffs import NOW, measured_diff, odd_diff, report

SAME = compare(run("a", [good("k")]), run("b", [good("k")]))


def facts(diff: RunDiff) -> list[str]:
    """The facts of a comparison as lines."""
    page = comparison_page(DiffReport(diff, now=NOW))
    return [line for block in page.blocks if isinstance(block, Facts) for line in block_lines([block])]


def test_what_a_pull_request_weakens_is_listed_by_certainty() -> None:
    """What is accepted stands apart with the reason, and contracts and schemas come last."""
    entry = KnownFailure("x", "y", owner="ann", reason="the wording changes")
    found = (
        Weakening("t1", "check", "one"),
        Weakening("t2", "check", "two", Weight.UNKNOWN),
        Weakening("t3", "check", "three", Weight.UNCLEAR),
        Weakening("t4", "check", "four", Weight.UNCLEAR, accepted=entry),
        Weakening("t5", "check", "five"),
    )
    narrower, wider = SchemaChange("a", "x", Effect.NARROWER), SchemaChange("", "y", Effect.WIDER)
    other, words = SchemaChange("b", "z", Effect.OTHER), SchemaChange("c", "w", Effect.WORDS)
    change = ContractChange(
        "Ticket",
        schema=(narrower, wider),
        tools=(("book", other),),
        parts=(("two retries", None), ("drops a rule", True), ("adds a rule", False)),
        accepts=('{"a": 1}', "2"),
        refuses=("3" * 91,),
    )
    told = DiffReport(SAME, GateResult(weakened=found), contracts=(change,), shown=(("tool book", words),))
    assert list(block_lines(weakened_blocks(told))) == [
        "2 weakened: the candidate accepts more than the base:",
        "  t1: one",
        "  t5: five",
        "1 unclear whether the candidate accepts more than the base:",
        "  t3: three",
        "1 unknown: a part of the code could not be looked at:",
        "  t2: two",
        "1 weakened, and accepted:",
        "  t4: four (owner ann: the wording changes)",
        "contracts and schemas:",
        "  Ticket: a: x (breaking)",
        "  Ticket: y (compatible)",
        "  Ticket: tool book: b: z (breaking)",
        "  Ticket: two retries (unclear)",
        "  Ticket: drops a rule (compatible)",
        "  Ticket: adds a rule (breaking)",
        f"  Ticket: 1 recorded answer breaks: {'3' * 89}…",
        '  Ticket: 2 answers are accepted now: {"a": 1}',
        "  tool book, as the model sees it: c: w (compatible)",
    ]
    one, two = replace(change, accepts=("2",), refuses=("3", "4")), DiffReport(SAME)
    lines = list(block_lines(weakened_blocks(replace(told, contracts=(one,), gate=None))))
    assert lines[-3:-1] == ["  Ticket: 2 recorded answers break: 3", "  Ticket: 1 answer is accepted now: 2"]
    assert list(weakened_blocks(two)) == []


def test_the_prompt_is_no_difference_beside_its_own_change() -> None:
    """Other differences stay, and the prompt is one where its change cannot be shown."""
    before, after = (good("k", asked=(Said("system", f"Write {form}."),), model=form) for form in ("JSON", "YAML"))
    assert facts(compare(run("a", [before]), run("b", [after])))[-1] == "differs in model: JSON → YAML"
    axes = (Axis("commit", ("1",), ("2",)), Axis("prompt (system message)", ("1",), ()), Axis("match", (), ("2", "3")))
    assert facts(replace(SAME, axes=axes))[-2:] == [
        "differs in prompt (system message): 1 → unknown",
        "differs in match (how requests find their cassette): unknown → 2, 3",
    ]


@pytest.mark.parametrize(
    ("created", "line"),
    [
        ("2026-11-07", "base: 2026-11-07 (14 days old)"),
        ("2026-11-06", "base: 2026-11-06 (15 days old): it may no longer say what the main branch does"),
    ],
)
def test_an_old_base_is_a_warning(created: str, line: str) -> None:
    """From the fifteenth day; an old candidate is none."""
    header = RunHeader("a", created=created)
    found = facts(replace(SAME, base=header, candidate=replace(header, name="b")))
    assert found[:2] == [line, f"candidate: {line.removeprefix('base: ').partition(': it')[0]}"]


def test_scores_are_compared_in_pairs() -> None:
    """Where cases have expected values."""
    assert facts(replace(SAME, scored=Paired(0, 0, 3)))[-1] == (
        "scores of expected values: no evidence of a change (better in 0, worse in 0 of 3 cases, p = 1)"
    )
    assert facts(replace(SAME, judged=False)) == []


def turn(before: object, after: object) -> Disagreement:
    """A case whose conclusion changed."""
    return Disagreement("k", FieldChange(ChangeKind.CHANGED, ("v",), ("v",), before, after))


def test_the_table_of_a_verdict_field() -> None:
    """How often the runs agree; what only one of them has; the changes, most frequent first."""
    diff = replace(
        SAME,
        verdicts=(
            VerdictTable("v", 1_000, (turn("go", "stop"), turn("stop", None), turn("go", "stop")), 0, 0),
            VerdictTable("w", 1, (), 2, 0),
            VerdictTable("x", 1, (), 0, 1_000),
        ),
    )
    assert list(block_lines(verdict_tables(diff, "a → b, "))) == [
        "a → b, v: 1,000 of 1,003 agree",
        "before  now     times",
        "go      stop        2",
        "stop    (null)      1",
        "a → b, w: 1 of 1 agree (only before: 2; only now: 0)",
        "a → b, x: 1 of 1 agree (only before: 0; only now: 1,000)",
    ]
    many = replace(SAME, verdicts=(VerdictTable("v", 0, tuple(turn(n, -1) for n in range(51)), 0, 0),))
    assert [len(table.rows) for table in verdict_tables(many)] == [50]


def test_the_groups_of_a_comparison() -> None:
    """In the order of the buckets; new failures and fixed cases stand open, and unchanged ones are left out."""
    (cases,) = (block for block in comparison_page(report(odd_diff())).blocks if isinstance(block, Cases))
    assert [(group.name, group.folded, group.same) for group in cases.groups] == [
        ("new_failure", False, False),
        ("fixed", False, False),
        ("still_failing", True, False),
        ("changed_valid", True, False),
        ("unchanged", True, True),
        ("stale", True, False),
        ("unstable", True, False),
        ("added", True, False),
        ("removed", True, False),
        ("not_comparable", True, False),
    ]
    assert {case.key: case.fails for case in cases.every() if case.fails} == {"talk": True, "fresh and bad": True}


def test_the_view_of_a_case() -> None:
    """Its label and mark, its rules by verb, its sides and its models; a known failure does not fail."""
    case = CaseDiff(
        "k",
        Bucket.NEW_FAILURE,
        "why",
        (good("k", model="m1"),),
        (bad("k", model="m2"),),
        broken=(Broken("missing", ("a",)),),
        open=(Broken("x"),),
    )
    view = case_view(DiffReport(SAME), case)
    assert (view.label, view.mark, plain(view.why), view.models, view.fails) == (
        "new failure", "", "why", ("m1", "m2"), True,
    )  # fmt: skip
    assert [(verb, str(rule)) for verb, rule in view.rules] == [("breaks", "missing at a"), ("leaves open", "x")]
    assert [name for name, _ in view.sides] == ["Base", "Candidate"]
    known = case_view(DiffReport(SAME, GateResult(known=(case,))), case)
    assert (known.label, known.mark, known.fails) == ("known failure", " (known)", False)
    changed = replace(case, bucket=Bucket.CHANGED_VALID)
    assert case_view(DiffReport(replace(SAME, judged=False)), changed).label == "changed"
    assert case_view(DiffReport(SAME), replace(case, bucket=Bucket.UNCHANGED)).sides == ()


def test_only_a_stale_case_says_how_to_record_it() -> None:
    """After its reason, if there is one."""
    row = good("k", rerecord=RerecordHint("pytest k", 0))
    stale = CaseDiff("k", Bucket.STALE, "the prompt changed", (), (row,))
    assert plain(case_why(stale)) == "the prompt changed; re-record: pytest k"
    assert plain(case_why(replace(stale, why=""))) == "re-record: pytest k"
    assert plain(case_why(replace(stale, bucket=Bucket.FIXED))) == "the prompt changed"
    assert case_why(CaseDiff("k", Bucket.STALE)) == ""


FIGURES = """\
items of (whole answer)                            6     10    +66.7 %
complete items of (whole answer)               100 %  100 %  +0 points
"""


def test_the_figures_of_a_list_are_aligned() -> None:
    """Numbers to the right, below the reason why there are figures."""
    text = draw(comparison_page(DiffReport(measured_diff())), "text")
    why = "    items are matched by lever_id, which 0 of 6 share: compared by metrics\n"
    assert f"{why}{indent(FIGURES, 6 * ' ')}" in text
    task = render_task(measured_diff().cases[0], "Levers")
    assert task.startswith(f"Levers output diff:\n\n{indent(FIGURES, 4 * ' ')}")


def test_one_task_in_colour_and_without_a_difference() -> None:
    """Red before, green after; without values the reason, if any."""
    change = FieldChange(ChangeKind.CHANGED, ("a",), ("a",), 1, 2, "a")
    case = CaseDiff("k", Bucket.CHANGED_VALID, values=(ValueDiff("", (change,)),))
    assert render_task(case, "T", color=True) == ("T output diff:\n\n  a:\n\x1b[31m-   1\x1b[0m\n\x1b[32m+   2\x1b[0m")
    assert render_task(CaseDiff("k", Bucket.UNCHANGED), "T") == "T output diff:\n\n  (no difference)"
    assert render_task(CaseDiff("k", Bucket.REMOVED, "it is gone"), "T") == "T output diff:\n\n  (it is gone)"


def test_figures_without_a_number_have_no_table() -> None:
    """With one they have a heading."""
    assert list(figures_table([])) == []
    assert list(block_lines(figures_table([Figure("n", 1.0, 2.0)], "x"))) == [
        "x", "figure  before  now    change", "n            1    2  +100.0 %",
    ]  # fmt: skip


STRATEGY = Strategy("inject", 48, (40, 45), 8, 5, (("converged", 45), ("stuck", 1_002)), 1, 1_056, 100, None)


@pytest.mark.parametrize(
    ("tokens", "cell"), [((100, None), "100"), ((None, 1_000), "1,000"), ((0, 0), "0"), ((None, None), "-")]
)
def test_the_row_of_a_strategy(tokens: tuple[int | None, int | None], cell: str) -> None:
    """Tasks, valid ones by attempt, how the others ended, and what it took."""
    strategy = replace(STRATEGY, input_tokens=tokens[0], output_tokens=tokens[1])
    pair = StrategyPair("inject", "blind", Paired(1, 2, 1_000))
    page = strategies_page(StrategyReport(StrategyTable((strategy,), (pair,)), (SAME,), ("a note",)))
    lines = draw(page, "text").split("\n")
    assert lines[0].split() == [
        *("strategy", "tasks", "valid", "by", "1", "valid", "by", "2", "rescued", "stuck"),
        *("false", "convergence", "calls", "tokens"),
    ]
    assert lines[1].split() == ["inject", "48", "40", "45", "5/8", "1,002", "1", "1,056", cell]
    assert any(
        line.split("  ")[-1] == "only blind 1, only inject 2 of 1,000 tasks, exact McNemar p = 1" for line in lines
    )
    assert lines[-1] == "note: a note"


def test_a_page_of_strategies_names_every_two_runs() -> None:
    """Without a name for the page in text, and with the figures of each pair below its names."""
    measured = replace(SAME, metrics=(Figure("n", 1.0, 2.0),))
    page: Page = strategies_page(StrategyReport(None, (measured,)))
    assert draw(page, "text") == (
        "Every two compared\nbefore  now  cases\na       b    1 unchanged\n\n"
        "a → b\nfigure  before  now    change\nn            1    2  +100.0 %"
    )
