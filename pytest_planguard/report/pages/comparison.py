"""The comparison of runs as a page: two with counts, facts, weaker code and each case, or more side by side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...contract.phrasing import clip
from ...printable import one_line
from ...runs.compare.run_axes import PROMPT, prompt_changes
from ...runs.compare.run_diff import Bucket
from ...runs.gate.weakening import Weight
from ..case_words import about_entry, about_run, baseline_blocks, missing_lines, models_of, new_lines, ruled
from ..change_text import render_change, value_text
from ..comparison_words import (
    PAIRS,
    RULES,
    STRATEGIES,
    added_mark,
    age_days,
    axis_name,
    case_title,
    evidence_text,
    figure_cells,
    headline,
    p_text,
    rate_text,
    rerecord_text,
    title,
)
from ..page import Answer, Case, Cases, Facts, Foreign, Group, Listing, Page, Rewritten, Table, Verdict, joined

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...runs.compare.deltas import Strategy, StrategyPair, StrategyTable
    from ...runs.compare.run_diff import Axis, CaseDiff, Figure, RuleDelta, RunDiff, ValueDiff
    from ...runs.gate.gate import GateResult
    from ...runs.gate.schema_changes import SchemaChange
    from ...runs.gate.tree_facts import ContractChange
    from ...runs.gate.weakening import Weakening
    from ..comparison_words import DiffReport
    from ..page import Block, Words


_TITLES = {
    Weight.WEAKENED: "weakened: the candidate accepts more than the base",
    Weight.UNCLEAR: "unclear whether the candidate accepts more than the base",
    Weight.UNKNOWN: "unknown: a part of the code could not be looked at",
}


def weakened_blocks(report: DiffReport) -> Iterator[Listing]:
    """Yield the weakenings by certainty, the accepted ones, and the changes in the contracts."""
    found = report.gate.weakened if report.gate is not None else ()
    for weight, heading in _TITLES.items():
        lines = tuple(Foreign(str(each), LINE) for each in found if each.weight is weight and each.accepted is None)
        if lines:
            yield Listing(f"{len(lines):,} {heading}", lines)
    accepted = tuple(Foreign(accepted_line(each), LINE) for each in found if each.accepted is not None)
    if accepted:
        yield Listing(f"{len(accepted):,} weakened, and accepted", accepted)
    lines = tuple(line for change in report.contracts for line in _contract(change))
    lines += tuple(map(_shown, report.shown))
    if lines:
        yield Listing("contracts and schemas", lines)


def accepted_line(weakening: Weakening) -> str:
    """Return text such as 'test_app.py::test_it: match gated → lenient (owner ann: the wording changes)'."""
    assert weakening.accepted is not None
    return f"{weakening} ({about_entry(weakening.accepted)})"


def _contract(change: ContractChange) -> Iterator[Foreign]:
    """Yield what a contract's change breaks, field by field, and what it newly accepts."""
    for where, each in (
        *(("", each) for each in change.schema),
        *((f"tool {tool}: ", each) for tool, each in change.tools),
    ):
        yield Foreign(f"{change.name}: {where}{each} ({_kind(each)})", LINE)
    for words, weaker in change.parts:
        kind = "unclear" if weaker is None else "compatible" if weaker else "breaking"
        yield Foreign(f"{change.name}: {words} ({kind})", LINE)
    for answers, one, more in (
        (change.refuses, "recorded answer breaks", "recorded answers break"),
        (change.accepts, "answer is accepted now", "answers are accepted now"),
    ):
        if answers:
            does = one if len(answers) == 1 else more
            yield Foreign(f"{change.name}: {len(answers):,} {does}: {clip(answers[0], 90)}", LINE)


def _shown(shown: tuple[str, SchemaChange]) -> Foreign:
    name, change = shown
    return Foreign(f"{name}, as the model sees it: {change} ({_kind(change)})", LINE)


def _kind(change: SchemaChange) -> str:
    return "breaking" if change.breaking else "compatible"


OPEN = (Bucket.NEW_FAILURE, Bucket.FIXED)
"""Buckets that a page shows unfolded."""
LINE = 400
"""Maximum number of characters of a change or of what a pull request weakens."""
OLD_DAYS = 14
"""Minimum age in days of a base that may no longer match the main branch. From then on, its age is a warning."""


def comparison_page(report: DiffReport) -> Page:
    """Return the page. Its conclusion is the gate's, so without a gate it has none."""
    diff = report.diff
    names = (Foreign(header.name or "(no name)", 120) for header in (diff.base, diff.candidate))
    blocks: list[Block] = [
        *_facts(report),
        *weakened_blocks(report),
        *_prompt(diff),
        *verdict_tables(diff),
        *_cases(report),
        *_rules(diff),
    ]
    blocks += figures_table((*diff.figures, *diff.metrics))
    if report.held is not None:
        blocks += baseline_blocks(report.held, report.baseline_path, report.now)
    notes = tuple(Foreign(note, LINE) for note in diff.notes)
    return Page(joined(" → ", names), report.counts, _verdict(report.gate), tuple(blocks), notes, report.history)


def _verdict(gate: GateResult | None) -> Verdict | None:
    if gate is None:
        return None
    return Verdict(gate.conclusion.upper(), tuple(Foreign(reason, LINE) for reason in gate.why))


def _facts(report: DiffReport) -> Iterator[Facts]:
    """Yield the time and commit of the runs, the share of good cases, and the differences between the runs."""
    diff, entries = report.diff, list[tuple["Words", "Words"]]()
    for name, header in (("base", diff.base), ("candidate", diff.candidate)):
        about = about_run(header, report.now)
        is_old = name == "base" and (age_days(header.created, report.now) or 0) > OLD_DAYS
        warning = ": it may no longer say what the main branch does" if is_old else ""
        entries += [(name, (Foreign(about), warning))] if about else []
    if diff.judged and diff.overall.paired.pairs:
        entries.append(("good before", rate_text(diff.overall.before)))
        entries.append(("good now", f"{rate_text(diff.overall.after)}: {evidence_text(diff.overall.paired)}"))
    if diff.scored is not None:
        entries.append(("scores of expected values", evidence_text(diff.scored)))
    known = bool(prompt_changes(diff))
    # Don't repeat the commits above, or a prompt whose change is shown.
    axes = (a for a in diff.axes if a.name != "commit" and not (known and a.name.startswith(PROMPT)))
    entries += ((("differs in ", Foreign(axis_name(axis), 120)), _axis(axis)) for axis in axes)
    if entries:
        yield Facts(tuple(entries))


def _axis(axis: Axis) -> Words:
    """Return text such as 'm1 → m2'. A side without a value is "unknown"."""
    sides = (Foreign(", ".join(values)) if values else "unknown" for values in (axis.before, axis.after))
    return joined(" → ", sides)


def _prompt(diff: RunDiff) -> Iterator[Rewritten]:
    for change in prompt_changes(diff):
        yield Rewritten(("The prompt changed: ", Foreign(change.title, LINE)), change.pieces)


def verdict_tables(diff: RunDiff, before: Words = "") -> Iterator[Table]:
    """Yield a table for every verdict field: how often the runs agree, and which values became which.

    `before` is put in front of each field's name.
    """
    for found in diff.verdicts:
        only = f" (only before: {found.only_base:,}; only now: {found.only_candidate:,})"
        agree = f": {found.agree:,} of {found.total:,} agree" + (
            only if found.only_base or found.only_candidate else ""
        )
        turns = ((Foreign(value_text(a)), Foreign(value_text(b)), f"{n:,}") for a, b, n in found.turns[:TURNS])
        heading = joined("", (*([before] if before else []), Foreign(found.field, 120), agree))
        yield Table(("before", "now", "times"), tuple(turns), heading, frozenset({2}))


TURNS = 50
"""Maximum number of changed verdict pairs to list."""


def _cases(report: DiffReport) -> Iterator[Cases]:
    groups = []
    for bucket in Bucket:
        cases = report.diff.of(bucket)
        if cases:
            heading, same = title(bucket, len(cases), judged=report.diff.judged), bucket is Bucket.UNCHANGED
            views = tuple(case_view(report, case) for case in cases)
            groups.append(Group(bucket.value, heading, views, folded=bucket not in OPEN, same=same))
    if groups:
        yield Cases(tuple(groups))


def case_view(report: DiffReport, case: CaseDiff) -> Case:
    """Return one case."""
    same, known = case.bucket is Bucket.UNCHANGED, report.is_known(case)
    label = case_title(case) if report.diff.judged else title(case.bucket, 1, judged=False)
    rows = () if same else (("Base", case.base), ("Candidate", case.candidate))
    return Case(
        case.key,
        " (known)" if known else added_mark(case),
        "known failure" if known else label,
        case_why(case),
        tuple((verb, rule) for verb, rules in ruled(case) for rule in rules),
        tuple(map(Foreign, (*new_lines(case), *(line for row in case.candidate for line in missing_lines(row))))),
        tuple(map(_answer, case.values)),
        rows,
        models_of((*case.base, *case.candidate)),
        fails=case.is_new_failure and not known,
    )


def case_why(case: CaseDiff) -> Words:
    """Return why a case is in its bucket, with the command that records a stale one; "" if the bucket says enough."""
    parts: list[Words] = [Foreign(case.why)] if case.why else []
    if case.bucket is Bucket.STALE and case.rerecord is not None:
        parts.append(Foreign(rerecord_text(case.rerecord), LINE))
    return joined("; ", parts) if parts else ""


def _answer(value: ValueDiff) -> Answer:
    shared = tuple(
        (
            "items are matched by ",
            Foreign(found.key, 60),
            f", which {found.shared} of {min(found.before, found.after)} share: compared by metrics",
        )
        for found in value.unstable
    )
    return Answer(value.changes, value.name, tuple(map(figure_cells, value.metrics)), shared)


def _rules(diff: RunDiff) -> Iterator[Table]:
    if diff.rules:
        head = ("rule", "breaks before", "breaks now", "cases", "better", "worse", "p", "evidence")
        classes = tuple(delta.evidence.value.replace(" ", "-") for delta in diff.rules)
        yield Table(head, tuple(map(_rule, diff.rules)), "", frozenset(range(1, 7)), RULES, classes)


def _rule(rule: RuleDelta) -> tuple[Words, ...]:
    paired = rule.paired
    numbers = (rule.cases_before, rule.cases_after, paired.pairs, paired.better, paired.worse)
    cells = (*(f"{n:,}" for n in numbers), p_text(paired.p).removeprefix("p = "), rule.evidence.value)
    return (Foreign(rule.rule, 120), *cells)


def figures_table(figures: Sequence[Figure], heading: Words = "") -> Iterator[Table]:
    """Yield the figures of two runs; nothing if neither has any."""
    if figures:
        cells = tuple(map(figure_cells, figures))
        yield Table(("figure", "before", "now", "change"), cells, heading, frozenset({1, 2, 3}))


def render_task(case: CaseDiff, name: str, *, color: bool = False) -> str:
    """Return the fields of one case for a terminal: place, `-` before, `+` after."""
    from ..page import plain
    from ..plain_text import Style, columns

    lines = [f"{one_line(name, 160)} output diff:"]
    for value in case.values:
        for change in value.changes:
            lines += ["", render_change(change, style=Style(color), block=True)]
        if value.metrics:
            cells = [list(map(plain, figure_cells(metric))) for metric in value.metrics]
            lines += ["", *(f"    {line}" for line in columns(cells, right=frozenset({1, 2, 3})).split("\n"))]
    if not case.values:
        lines += ["", f"  ({case.why or 'no difference'})"]
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class StrategyReport:
    """The comparison of three or more runs."""

    table: StrategyTable | None
    """The strategies; None if nothing judged any of them."""
    comparisons: tuple[RunDiff, ...]
    """Each pair of runs, in the order in which they were named."""
    notes: tuple[str, ...] = ()
    """Notes on any of the comparisons, without repetition."""


def strategies_page(report: StrategyReport) -> Page:
    """Return the strategies as a table if something judged them, then each pair with its conclusions."""
    blocks: list[Block] = list(_judged(report.table)) if report.table is not None else []
    rows: list[tuple[Words, ...]] = [
        (*map(Foreign, _run_names(found)), headline(found)) for found in report.comparisons
    ]
    blocks.append(Table(("before", "now", "cases"), tuple(rows), "Every two compared"))
    for found in report.comparisons:
        names = joined(" → ", map(Foreign, _run_names(found)))
        blocks += [*figures_table(found.metrics, names), *verdict_tables(found, (*names, ", "))]
    return Page("Runs side by side", blocks=tuple(blocks), notes=tuple(Foreign(note, 400) for note in report.notes))


def _run_names(diff: RunDiff) -> tuple[str, str]:
    return diff.base.name, diff.candidate.name


def _judged(table: StrategyTable) -> Iterator[Table]:
    """Yield a table of strategies with a column for each attempt that any of them needed, then one of their pairs."""
    attempts = max((len(strategy.valid_by) for strategy in table.strategies), default=0)
    by = tuple(f"valid by {number}" for number in range(1, attempts + 1))
    head = ("strategy", "tasks", *by, "rescued", "stuck", "false convergence", "calls", "tokens")
    yield Table(head, tuple(map(_strategy, table.strategies)), "", frozenset(range(1, len(head))), STRATEGIES)
    pair_head, title = ("strategy", "against", "result", "evidence"), "Which gets more tasks valid"
    yield Table(pair_head, tuple(map(_pair, table.pairs)), title, legend=PAIRS)


def _strategy(strategy: Strategy) -> tuple[Words, ...]:
    tokens = [number for number in (strategy.input_tokens, strategy.output_tokens) if number is not None]
    return (
        Foreign(strategy.name),
        f"{strategy.tasks:,}",
        *(f"{number:,}" for number in strategy.valid_by),
        f"{strategy.rescued:,}/{strategy.failed_first:,}",
        f"{strategy.ended('stuck'):,}",
        f"{strategy.false_convergence:,}",
        f"{strategy.calls:,}",
        f"{sum(tokens):,}" if tokens else "-",
    )


def _pair(pair: StrategyPair) -> tuple[Words, ...]:
    """Return a pair's row: 'inject', 'blind', 'no evidence', 'only inject 3, only blind 3 of 48 tasks, … p = 1'."""
    one, other, paired = Foreign(pair.one, 60), Foreign(pair.other, 60), pair.paired
    rest = f" {paired.worse:,} of {paired.pairs:,} tasks, exact McNemar {p_text(paired.p)}"
    return other, one, paired.evidence.value, ("only ", other, f" {paired.better:,}, only ", one, rest)
