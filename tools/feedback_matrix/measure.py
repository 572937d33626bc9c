"""Measures how well `planguard check` reads texts that no reader was written for.

`python -m tools.feedback_matrix.measure` prints one table for each group, of the open two thirds, and writes the same
figures as JSON. `--final` prints the totals of the held-out third, and nothing else of it: no text, no validator.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from . import drawn_trials, phrases, wordings
from .check import grades
from .draw import SEED
from .further.trials import trials as further_trials
from .later.trials import trials as later_trials
from .trial import Trial, Unsaid

CARRIED = ("verbatim", "located", "weak", "carried")
PLACED = "placed"
UNREAD = "unread"
"""Grades between carried and lost: a message at the finding's place that is not understood, words that nobody reads."""
TEXTS = Path(".feedback-texts/drawn.json")
OUTPUT = Path(".feedback-texts/figures.json")
Figures = Counter[str]


def main() -> None:
    """Print the tables of the open part, or the totals of the held-out part."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--final", action="store_true", help="count the held-out third; only totals are printed")
    parser.add_argument("--texts", type=Path, default=TEXTS, help="texts that `collect` wrote; left out where missing")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="where the figures go as JSON")
    parser.add_argument("-k", default="", metavar="WORD", dest="word", help="only groups and rows that contain it")
    parser.add_argument("--at-most", type=int, metavar="N", help="a sample of N trials of each group")
    parser.add_argument("--examples", type=int, default=0, metavar="N", help="print N misjudged texts of each group")
    options = parser.parse_args()
    chosen = [one for one in all_trials(options.texts) if one.held_out == options.final]
    chosen = [one for one in chosen if options.word in f"{one.group} {one.row}" or options.final]
    chosen = list(_sample(chosen, options.at_most)) if options.at_most else chosen
    judged = list(zip(chosen, grades(chosen), strict=True))
    tables = {group: _table(pairs) for group, pairs in _by_group(judged)}
    tables = {group: {"all": rows["all"]} for group, rows in tables.items()} if options.final else tables
    print(render(tables))
    options.output.parent.mkdir(exist_ok=True)
    options.output.write_text(json.dumps({"final": options.final, "groups": tables}, indent=1), encoding="utf-8")
    if not options.final:
        print("\n".join(_examples(judged, options.examples)))


def all_trials(texts: Path) -> Iterator[Trial]:
    """Yield the trials of all groups; those of validators only where their texts were collected."""
    if texts.exists():
        yield from drawn_trials.trials(json.loads(texts.read_text(encoding="utf-8")))
    yield from phrases.trials()
    yield from phrases.redrawn_trials()
    yield from wordings.trials()
    yield from later_trials()
    yield from further_trials()


def count(trial: Trial, graded: dict[str, str]) -> Figures:
    """Count one trial's findings: how many are said and how those fare, and the same for those not said, by kind."""
    figures: Figures = Counter(trials=1)
    for fault, grade in graded.items():
        of = "said" if fault in trial.said else _kind(trial).value
        fate = "carried" if grade in CARRIED else grade.replace(" ", "_")
        figures[of] += 1
        figures[f"{of}: {fate}"] += 1
    return figures


def _kind(trial: Trial) -> Unsaid:
    if trial.kind is None:
        raise ValueError(f"faults that are not said need a kind: got none for {trial.answer}; give one of Unsaid")
    return trial.kind


def _table(pairs: Iterable[tuple[Trial, dict[str, str]]]) -> dict[str, Figures]:
    rows: dict[str, Figures] = {}
    total: Figures = Counter()
    for trial, graded in pairs:
        figures = count(trial, graded)
        rows.setdefault(trial.row, Counter()).update(figures)
        rows.setdefault(f"language {trial.language}", Counter()).update(figures)
        total.update(figures)
    return {name: rows[name] for name in sorted(rows, key=lambda n: (n.startswith("language "), n))} | {"all": total}


def _by_group(
    judged: Sequence[tuple[Trial, dict[str, str]]],
) -> Iterator[tuple[str, list[tuple[Trial, dict[str, str]]]]]:
    for group, pairs in groupby(sorted(judged, key=lambda pair: pair[0].group), key=lambda pair: pair[0].group):
        yield group, list(pairs)
    for envelope in sorted({trial.envelope for trial, _ in judged}):
        yield f"all groups, envelope: {envelope}", [pair for pair in judged if pair[0].envelope == envelope]


def render(tables: dict[str, dict[str, Figures]]) -> str:
    """Return one Markdown table for each group; the envelopes share one."""
    whole = {g: rows for g, rows in tables.items() if not g.startswith("all groups, ")}
    parts = [f"## {group}\n\n{_markdown(rows)}" for group, rows in whole.items()]
    envelopes = {g.partition(": ")[2]: rows["all"] for g, rows in tables.items() if g not in whole}
    return "\n\n".join([*parts, f"## By envelope, all groups\n\n{_markdown(envelopes)}"])


def _markdown(rows: dict[str, Figures]) -> str:
    kinds = [kind.value for kind in Unsaid]
    head = ["", "said", "lost", "placed + unread", *(f"{kind}: n, carried, unread" for kind in kinds)]
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    for name, figures in rows.items():
        said = figures["said"]
        between = figures[f"said: {PLACED}"] + figures[f"said: {UNREAD}"]
        cells = [name, str(said), share(figures["said: lost"], said), share(between, said)]
        for kind in kinds:
            unread = share(figures[f"{kind}: {UNREAD}"], figures[kind])
            cells.append(f"{figures[kind]}, {share(figures[f'{kind}: carried'], figures[kind])}, {unread}")
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def share(part: int, whole: int) -> str:
    """Return a share in percent, a dash where there is nothing to have a share of."""
    return f"{100 * part / whole:.1f} %" if whole else "–"


def _sample(trials: Sequence[Trial], most: int) -> Iterator[Trial]:
    for _, group in groupby(sorted(trials, key=lambda t: t.group), key=lambda t: t.group):
        members = list(group)
        yield from random.Random(SEED).sample(members, min(most, len(members)))


def _examples(judged: Sequence[tuple[Trial, dict[str, str]]], most: int) -> Iterator[str]:
    for group, pairs in groupby(sorted(judged, key=lambda pair: pair[0].group), key=lambda pair: pair[0].group):
        wrong = [(t, g) for t, g in pairs if any((g[f] in CARRIED) != (f in t.said) for f in g)]
        for trial, graded in random.Random(SEED).sample(wrong, min(most, len(wrong))):
            yield f"--- {group}, {trial.row}, {trial.kind}: {graded}, said {trial.said}\n{trial.text[:500]}"


if __name__ == "__main__":
    main()
