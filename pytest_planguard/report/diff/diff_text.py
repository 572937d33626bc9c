"""The comparison of two runs for a terminal: the verdict first, then what explains it, then case by case."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ...printable import one_line
from ...runs.compare.run_diff import Bucket
from ...runs.gate.gate import Conclusion, conclusion
from ..media.text_table import Style, columns
from ..words.baseline_text import baseline_lines
from ..words.change_text import render_change, value_text
from ..words.comparison_words import (
    RULES,
    added_mark,
    axis_text,
    evidence_text,
    figure_text,
    headline,
    legend_lines,
    metric_text,
    p_text,
    rate_text,
    rerecord_text,
    title,
)
from ..words.phrases import finding_lines, missing_lines, ruled

if TYPE_CHECKING:
    from ...runs.compare.run_diff import CaseDiff, Metric, RuleDelta, RunDiff, ValueDiff, VerdictTable
    from ...runs.gate.gate import GateResult

CASES = 20
"""Cases of a bucket that are shown; `verbose` shows all."""
CHANGES = 12
"""Changes of a case that are shown; `verbose` shows all."""
SHOWN = tuple(bucket for bucket in Bucket if bucket is not Bucket.UNCHANGED)


def render_diff(diff: RunDiff, gate: GateResult | None = None, *, color: bool = False, verbose: bool = False) -> str:
    """Return the whole comparison as text. What models wrote is made safe to print."""
    return "\n".join(_Text(diff, gate, Style(color), verbose).lines())


def render_task(case: CaseDiff, name: str, *, color: bool = False) -> str:
    """Return the fields of one case: place, `-` before, `+` after."""
    style = Style(color)
    lines = [f"{one_line(name, 160)} output diff:"]
    for value in case.values:
        for change in value.changes:
            lines += ["", render_change(change, style=style, block=True)]
        lines += ["", *metric_lines(value.metrics)] if value.metrics else []
    if not case.values:
        lines += ["", f"  ({case.why or 'no difference'})"]
    return "\n".join(lines)


def render_verdicts(table: VerdictTable, *, color: bool = False, verbose: bool = False) -> str:
    """Return where the runs agree on a conclusion: how often, which value became which, and each place that differs."""
    style = Style(color)
    lines = [style.strong(f"{one_line(table.field, 120)}: {table.agree:,} of {table.total:,} agree")]
    if table.only_base or table.only_candidate:
        lines.append(f"  only before: {table.only_base:,}; only now: {table.only_candidate:,}")
    lines += [f"  {value_text(old)} → {value_text(new)}: {number:,}" for old, new, number in table.turns]
    several = len({found.case for found in table.differ}) > 1
    shown = table.differ if verbose else table.differ[:CASES]
    for found in shown:
        prefix = f"{one_line(found.case, 80)}: " if several else ""
        lines.append(f"    {prefix}{render_change(found.change, indent='', style=style)}")
    more = len(table.differ) - len(shown)
    return "\n".join([*lines, *([f"    and {more:,} more; --verbose shows all"] if more else [])])


class _Text:
    def __init__(self, diff: RunDiff, gate: GateResult | None, style: Style, verbose: bool) -> None:
        self._diff, self._gate, self._style, self._verbose = diff, gate, style, verbose

    def lines(self) -> Iterator[str]:
        diff = self._diff
        names = (one_line(header.name, 80) for header in (diff.base, diff.candidate))
        yield f"{' → '.join(names)}: {self._style.strong(headline(diff))}"
        yield from self._overall()
        yield from (f"differs in {one_line(axis_text(axis), 300)}" for axis in diff.axes)
        for table in diff.verdicts:
            yield f"\n{render_verdicts(table, color=self._style.color, verbose=self._verbose)}"
        for bucket in SHOWN:
            yield from self._bucket(bucket)
        yield from self._rules()
        yield from self._figures()
        yield from (f"note: {one_line(note, 400)}" for note in diff.notes)
        yield from self._verdict()

    def _overall(self) -> Iterator[str]:
        overall = self._diff.overall
        if not self._diff.judged or not overall.paired.pairs:
            return
        yield f"good before: {rate_text(overall.before)}"
        yield f"good now:    {rate_text(overall.after)}: {evidence_text(overall)}"

    def _bucket(self, bucket: Bucket) -> Iterator[str]:
        cases = self._diff.of(bucket)
        if not cases:
            return
        yield ""
        yield self._style.strong(f"{title(bucket, len(cases), judged=self._diff.judged)} ({len(cases):,})")
        shown = cases if self._verbose else cases[:CASES]
        for case in shown:
            yield from self._case(case)
        if len(cases) > len(shown):
            yield f"  and {len(cases) - len(shown):,} more; --verbose shows all"

    def _case(self, case: CaseDiff) -> Iterator[str]:
        known = " (known)" if self._gate is not None and case in self._gate.known else added_mark(case)
        yield f"  {one_line(case.key, 160)}{known}{f': {one_line(case.why, 200)}' if case.why else ''}"
        if case.bucket is Bucket.STALE and case.rerecord is not None:
            yield f"    {rerecord_text(case.rerecord)}"
        shown = {code for change in case.changes for code in (*change.breaks, *change.fixes)}
        for verb, rules in ruled(case):
            named = [str(rule) for rule in rules if rule.rule not in shown]
            if named:
                yield f"    {verb} {one_line(', '.join(named), 300)}"
        yield from (f"    {line}" for line in (*finding_lines(case), *missing_lines(case)))
        for value in case.values:
            yield from self._value(value)

    def _value(self, value: ValueDiff) -> Iterator[str]:
        if value.name:
            yield f"    {one_line(value.name, 120)}:"
        first = sorted(value.changes, key=lambda change: not change.verdict)
        shown = first if self._verbose else first[:CHANGES]
        yield from (render_change(change, indent="    ", style=self._style) for change in shown)
        if len(first) > len(shown):
            yield f"    and {len(first) - len(shown):,} more changes; --verbose shows all"
        for unstable in value.unstable:
            yield f"    {_unstable(unstable.key, unstable.shared, min(unstable.before, unstable.after))}"
        yield from (f"  {line}" for line in metric_lines(value.metrics))

    def _rules(self) -> Iterator[str]:
        if not self._diff.rules:
            return
        yield ""
        header = ("rule", "breaks before", "breaks now", "cases", "better", "worse", "p", "evidence")
        rows = [header, *map(_rule_cells, self._diff.rules)]
        yield columns(rows, right=frozenset(range(1, 7)))
        yield from legend_lines(RULES)

    def _figures(self) -> Iterator[str]:
        rows = [("figure", "before", "now", "change"), *map(figure_text, self._diff.figures)]
        rows += map(metric_text, self._diff.metrics)
        if len(rows) > 1:
            yield ""
            yield columns(rows, right=frozenset((1, 2, 3)))

    def _verdict(self) -> Iterator[str]:
        if self._gate is None:
            return
        yield ""
        if self._gate.baseline is not None:
            yield from baseline_lines(self._gate.baseline, "", None)
        word, reasons = conclusion(self._diff, self._gate)
        paints = {Conclusion.PASS: self._style.good, Conclusion.FAIL: self._style.bad}
        why = "; ".join(one_line(reason, 200) for reason in reasons)
        yield paints.get(word, self._style.warn)(f"{word.upper()}: {why}" if why else word.upper())


def _rule_cells(rule: RuleDelta) -> tuple[str, ...]:
    paired = rule.paired
    numbers = (rule.cases_before, rule.cases_after, paired.pairs, paired.better, paired.worse)
    return (rule.rule, *(f"{n:,}" for n in numbers), p_text(paired.p).removeprefix("p = "), rule.evidence.value)


def _unstable(key: str, shared: int, items: int) -> str:
    return f"items are matched by {one_line(key, 60)}, which {shared} of {items} share: compared by metrics"


def metric_lines(metrics: Sequence[Metric]) -> Iterator[str]:
    """Yield metrics as the lines of a table; nothing where there is none."""
    if metrics:
        rows = [metric_text(metric) for metric in metrics]
        yield from (f"    {line}" for line in columns(rows, right=frozenset((1, 2, 3))).split("\n"))
