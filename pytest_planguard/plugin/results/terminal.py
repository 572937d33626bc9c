"""The section at the end of a run: cases, outcomes, tokens, proofs, and stale cassettes with their commands."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ...printable import one_line, visible
from ...statistics import sum_of_known
from ..options import RECORDING, settings_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pytest

    from ...runs.model.judged_answers import Judged
    from ...runs.model.run import CaseRow, Change

TITLE = "planguard"
ROWS_SHOWN = 30
"""Maximum number of cases to list in a normal run; -v lists all of them."""
SAMPLES_SHOWN = 5
"""Maximum number of bad samples of a case, or of unjudged tests, to name."""
UNJUDGED = "unjudged"
"""The outcome of a test of an existing suite whose answers no contract judges."""
CHANGES: tuple[Change, ...] = ("worse", "unanswered", "better", "changed", "same")


def write_line(reporter: pytest.TerminalReporter, line: str, **markup: bool) -> None:
    """Print a line. All our lines on pytest's terminal pass here, so none can contain control sequences."""
    reporter.write_line(visible(line), **markup)


def write_section(
    reporter: pytest.TerminalReporter,
    rows: Sequence[CaseRow],
    config: pytest.Config,
    orphans: Sequence[str],
) -> None:
    """Print the section. A row that passed at its first attempt is counted, but listed only with -v."""
    verbose = config.get_verbosity() > 0
    if config.get_verbosity() < -1:
        return
    reporter.ensure_newline()
    reporter.section(TITLE)
    write_line(reporter, _summary(rows))
    for line, markup in _scores(rows, config):
        write_line(reporter, line, **markup)
    notable = list(rows) if verbose else [r for r in rows if _notable(r)]
    listed = notable if verbose else notable[:ROWS_SHOWN]
    if listed:
        for line, row in zip(_table(listed).split("\n"), [None, *listed], strict=True):
            write_line(reporter, line, **_markup(row))
    if len(notable) > len(listed):
        write_line(reporter, f"and {len(notable) - len(listed)} more; -v lists all")
    for line, markup in _proofs(rows, verbose=verbose):
        write_line(reporter, line, **markup)
    for line in (*(_warnings(rows, config) if rows else ()), *_orphans(orphans)):
        write_line(reporter, line, yellow=True)


def _proofs(rows: Sequence[CaseRow], *, verbose: bool) -> Iterator[tuple[str, dict[str, bool]]]:
    if any(row.proofs for row in rows):
        from .sections import off_lines, proof_lines

        yield from ((line, {}) for line in proof_lines(rows, verbose=verbose))
        yield from ((line, {"yellow": True}) for line in off_lines(rows))


def _scores(rows: Sequence[CaseRow], config: pytest.Config) -> Iterator[tuple[str, dict[str, bool]]]:
    """Yield the scores first: the rows below show the tests."""
    if any(row.expected for row in rows):
        from ...report.forms.text import block_lines
        from ...report.pages.run import score_blocks
        from ...runs.figures import is_below, score_of_rows

        score, bound = score_of_rows(rows), settings_of(config).fail_under
        head, *lines = block_lines(score_blocks(score, bound))
        yield head, {"red": True} if is_below(score, bound) else {}
        yield from ((f"  {line}", {}) for line in lines)


def _warnings(rows: Sequence[CaseRow], config: pytest.Config) -> Iterator[str]:
    from .sections import drift_lines, missing_lines, stale_lines, unrecorded_lines

    yield from _sampled(rows)
    yield from _live_checks(rows)
    yield from stale_lines(rows, config)
    yield from drift_lines(rows)
    yield from unrecorded_lines(rows, config)
    yield from missing_lines(rows)
    yield from _unclear(rows)
    yield from _untracked(rows)
    yield from _unjudged(rows)
    yield from _pruned(rows, config)


def _summary(rows: Sequence[CaseRow]) -> str:
    """Return '12 cases: 9 converged, 2 valid, 1 stale; 15 attempts; 4,210 tokens'."""
    outcomes = Counter(map(_outcome, rows))
    counted = ", ".join(f"{n} {outcome}" for outcome, n in sorted(outcomes.items(), key=lambda o: (-o[1], o[0])))
    attempts = sum(len(judged.attempts) for row in rows for judged in row.conversations)
    used = sum(_tokens(row) or 0 for row in rows)
    cases = outcomes.total()
    parts = [f"{cases} {'case' if cases == 1 else 'cases'}: {counted}"]
    parts += [f"{attempts} {'attempt' if attempts == 1 else 'attempts'}"] if attempts else []
    parts += [f"{used:,} tokens"] if used else []
    return "; ".join(parts)


def _notable(row: CaseRow) -> bool:
    """Return True for a case that failed, is stale or needed a retry."""
    return not row.ok or bool(row.stale) or any(len(judged.attempts) > 1 for judged in row.conversations)


def _outcome(row: CaseRow) -> str:
    good = row.result in ("failed", "error") and row.outcome in ("converged", "valid")
    return f"{row.outcome} but failed" if good else (row.outcome or "").replace("_", " ")


def _tokens(row: CaseRow) -> int | None:
    return sum_of_known((row.input_tokens, row.output_tokens))


def _table(rows: Sequence[CaseRow]) -> str:
    from ...report.plain_text import columns

    header = ("outcome", "attempts", "tokens", "result", "failed checks", "test")
    return columns([header, *map(_cells, rows)], right=frozenset({1, 2}), limit=200)


def _cells(row: CaseRow) -> tuple[str, ...]:
    from .sections import failed_checks

    attempts = ", ".join(str(len(judged.attempts)) for judged in row.conversations) or "-"
    used = _tokens(row)
    failed = ", ".join(failed_checks(row)) or "-"
    return (_outcome(row), attempts, "-" if used is None else f"{used:,}", row.result or "-", failed, row.test)


def _markup(row: CaseRow | None) -> dict[str, bool]:
    if row is None:
        return {}
    if row.result in ("failed", "error"):
        return {"red": True}
    return {"yellow": True} if row.stale or (row.result is None and not row.ok) else {}


def _sampled(rows: Sequence[CaseRow]) -> Iterator[str]:
    """Yield cases with several samples: how many are good, the estimate for the next one, and the bad ones."""
    several = [(row, row.samples) for row in rows if row.samples is not None]
    if not several:
        return
    from ...report.comparison_words import samples_text

    yield ""
    yield "samples"
    for row, found in several:
        wanted = f"at least {100 * found.min_pass_rate:g} % wanted"
        yield f"  {one_line(row.test, 160)}: {samples_text(found.rate)}; {wanted}"
        yield from (f"    sample {one.number}: {one_line(one.why, 160)}" for one in found.bad[:SAMPLES_SHOWN])
        if len(found.bad) > SAMPLES_SHOWN:
            yield f"    and {len(found.bad) - SAMPLES_SHOWN} more that are not good"


def _live_checks(rows: Sequence[CaseRow]) -> Iterator[str]:
    """Yield how the live verdicts compare with the recorded ones, after `--planguard-record=verify`."""
    held = [(row, row.live_check) for row in rows if row.live_check is not None]
    if not held:
        return
    counted = Counter(found.change for _, found in held)
    told = ", ".join(f"{counted[change]} {change}" for change in CHANGES if counted[change])
    yield ""
    yield f"{len(held)} {'cassette' if len(held) == 1 else 'cassettes'} compared with live answers: {told}"
    for row, found in held:
        if found.change != "same":
            told = f"{found.change}: {found.recorded} when recorded, {found.live} now"
            yield f"  {one_line(row.test, 160)}: {one_line(told, 200)}"


def _unclear(rows: Sequence[CaseRow]) -> Iterator[str]:
    """Yield the tests with unclear findings: nothing shows if the next request feeds them back."""
    counted = [(row, n) for row in rows if (n := sum(map(_unclear_in, row.judged)))]
    if not counted:
        return
    total = sum(n for _, n in counted)
    yield ""
    yield (
        f"{total} unclear {'finding' if total == 1 else 'findings'}: the wording alone does not show whether the retry "
        "feeds them back (planguard_unclear = fail lets none pass)"
    )
    yield from (f"  {one_line(row.test, 160)}: {n} unclear" for row, n in counted)


def _unclear_in(judged: Judged) -> int:
    return sum(len(attempt.unclear) for attempt in judged.attempts)


def _untracked(rows: Sequence[CaseRow]) -> Iterator[str]:
    """Yield the senders that planguard cannot track, and their tests, which may not be offline."""
    tests: dict[str, list[str]] = {}
    for row in rows:
        for sender in row.untracked:
            tests.setdefault(sender, []).append(row.test)
    if not tests:
        return
    yield ""
    yield "not replayed or refused: what these send (planguard_processes = fail lets no child process pass)"
    for sender, asked in tests.items():
        more = f" and {len(asked) - 1} more" if len(asked) > 1 else ""
        yield f"  {one_line(sender, 100)}: {one_line(asked[0], 160)}{more}"


def _unjudged(rows: Sequence[CaseRow]) -> Iterator[str]:
    """Yield tests of an existing suite whose requests demand no schema."""
    tests = [row.test for row in rows if row.outcome == UNJUDGED]
    if tests:
        yield ""
        one = len(tests) == 1
        yield (
            f"{len(tests)} {'test' if one else 'tests'} under @pytest.mark.vcr {'has' if one else 'have'} answers that "
            "nothing judges: the requests demand no schema; name a contract in planguard_vcr_contracts"
        )
        yield from (f"  {one_line(test, 160)}" for test in tests[:SAMPLES_SHOWN])
        if len(tests) > SAMPLES_SHOWN:
            yield f"  and {len(tests) - SAMPLES_SHOWN} more"


def _pruned(rows: Sequence[CaseRow], config: pytest.Config) -> Iterator[str]:
    """Yield the removed cassettes of older variants or, if pruning was requested, why none was removed."""
    paths = [path for row in rows for path in row.pruned]
    if paths:
        yield ""
        yield f"{len(paths)} {'cassette' if len(paths) == 1 else 'cassettes'} of older variants removed:"
        yield from (f"  {one_line(path, 200)}" for path in paths)
    elif config.getoption("--planguard-prune"):
        yield ""
        why = "no case that this run recorded has cassettes in variants that its test no longer has"
        if settings_of(config).record not in RECORDING:
            why = "--planguard-prune removes only while recording; add --planguard-record=missing, stale or all"
        yield f"nothing was pruned: {why}"


def _orphans(paths: Sequence[str]) -> Iterator[str]:
    """Yield cassettes of renamed or removed tests."""
    if not paths:
        return
    yield ""
    yield f"{len(paths)} {'cassette is' if len(paths) == 1 else 'cassettes are'} used by no test; remove or rename:"
    yield from (f"  {one_line(path, 200)}" for path in paths)
