"""Parts of the section at the end of a run: cassettes to record again, each with its command, and proofs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from shlex import quote
from typing import TYPE_CHECKING

from ...document.path import to_dotted
from ...printable import one_line
from ...replay.session.rerecord import RerecordHint
from ...runs.model.run import ASKS_MORE
from ..marker.identity import record_command

if TYPE_CHECKING:
    import pytest

    from ...runs.model.run import CaseRow


CASES_SHOWN = 3
"""Number of cases to name for one change; -v names all of them."""
_EDIT = re.compile(r"\[-.*?-\]|\{\+.*?\+\}", re.DOTALL)
"""The removed or added text of a change on one line: "kept [-old-]{+new+} kept"."""
_PLACE = re.compile(r"differs from recorded interaction \d+ in (?P<place>[^:]+): ")
"""The place of the first change: "request 1 differs from recorded interaction 1 in messages[0].content: …"."""

DRIFTED = "a request "
"""The beginning of a change that `--planguard-drift` finds: another tool records that cassette."""


def stale_lines(rows: Sequence[CaseRow], config: pytest.Config) -> Iterator[str]:
    """Yield the stale cassettes, the reasons, and the commands that record them again; nothing if all fit."""
    stale = [row for row in rows if row.stale and not row.stale[0].startswith(DRIFTED)]
    if stale:
        yield ""
        yield f"{_cassettes(len(stale), 'stale ')}: convergence is unproven"
        more = all(row.stale[0].startswith(ASKS_MORE) for row in stale)
        yield f"  ({'the app asks more often than was' if more else 'the request has changed since it was'} recorded)"
        for group in _grouped(stale):
            yield from _one(group[0], config) if len(group) == 1 else _several(group, config)


def drift_lines(rows: Sequence[CaseRow]) -> Iterator[str]:
    """Yield the tests under `@pytest.mark.vcr` whose requests differ from the recorded ones, each with its change."""
    drifted = [row for row in rows if row.stale and row.stale[0].startswith(DRIFTED)]
    if drifted:
        yield ""
        yield f"{_cassettes(len(drifted), 'drifted ')}: the code no longer sends what was recorded"
        for row in drifted:
            yield f"  {one_line(row.test, 160)}: {one_line(row.stale[0], 160)}"
            yield f"    pytest {one_line(quote(row.test), 160)} --record-mode=rewrite"


def unrecorded_lines(rows: Sequence[CaseRow], config: pytest.Config, *, least: int = 2) -> Iterator[str]:
    """Yield one command that records all tests without a cassette; nothing for fewer than `least`.

    On the terminal, each failure shows its own command.
    """
    without = [row for row in rows if row.outcome == "unrecorded"]
    if len(without) >= least:
        yield ""
        one = len(without) == 1
        several = f"{len(without):,} tests have no cassette yet; all of them are"
        yield f"{'1 test has no cassette yet; it is' if one else several} recorded by"
        yield f"  {record_command(config, _common([row.test for row in without]), 'missing')}"


def missing_lines(rows: Sequence[CaseRow]) -> Iterator[str]:
    """Yield the number of retries that fed back nothing, if there are several: they usually share a cause."""
    missing = [row for row in rows if row.result != "passed" and "feedback" in failed_checks(row)]
    if len(missing) > 1:
        yield ""
        yield f"{len(missing):,} cases dropped feedback: fix the retry first; recording again would keep the bug"
        yield f"  {_named(missing, verbose=False)}"


def failed_checks(row: CaseRow) -> tuple[str, ...]:
    """Return the names of a row's failed checks.

    Adds feedback for a refused retry that dropped its findings: without an answer, no check fails.
    """
    found = [check.name for judged in row.judged for check in judged.checks if check.status == "fail"]
    return tuple(dict.fromkeys(["feedback", *found] if row.feedback_is_missing else found))


def _grouped(stale: Sequence[CaseRow]) -> list[list[CaseRow]]:
    """Group the rows by their change, in order. A row whose change has no clear identity is alone in its group."""
    groups: dict[object, list[CaseRow]] = {}
    for row in stale:
        groups.setdefault(_change(row), []).append(row)
    return [*groups.values()]


def _change(row: CaseRow) -> object:
    """Return the identity of a change: its place and words, without the surrounding words.

    A case that cannot be recorded again, or needs no call to repair, is never grouped.
    """
    reason = row.stale[0]
    place, edits = _PLACE.search(reason), tuple(_EDIT.findall(reason))
    alone = place is None or not edits or row.rekey or row.rerecord is None
    return row.test if alone or place is None else (place["place"], edits)


def _one(row: CaseRow, config: pytest.Config) -> Iterator[str]:
    yield f"  {one_line(row.test, 160)}: {one_line(row.stale[0], 160)}"
    yield f"    {_anew(row, config)}"
    if row.rekey:
        yield f"    or, since only the envelope changed, without a call: {one_line(row.rekey, 300)}"


def _several(group: Sequence[CaseRow], config: pytest.Config) -> Iterator[str]:
    reason = group[0].stale[0]
    place = _PLACE.search(reason)
    where, window = ("", reason) if place is None else (place["place"], reason[place.end() :])
    yield f"  1 change in {_cassettes(len(group))}, {one_line(where, 80)}: {one_line(window, 200)}"
    command = record_command(config, _common([row.test for row in group]), "stale")
    yield f"    {one_line(command, 300)}{_cost(group)}"
    yield f"    {_named(group, verbose=config.get_verbosity() > 0)}"


def _anew(row: CaseRow, config: pytest.Config) -> str:
    """Return the command and its cost; missing feedback has neither."""
    found = row.rerecord
    if found is None and "feedback" in failed_checks(row):
        return "fix the retry first; re-recording would only capture the same missing feedback"
    return one_line(str(found), 300) if found is not None else record_command(config, row.test, "stale")


def _cost(group: Sequence[CaseRow]) -> str:
    """Return ' # about 21 calls, 1,230 tokens': the total of all cassettes."""
    total = RerecordHint.together([row.rerecord for row in group if row.rerecord is not None], "")
    return f" # {total.estimate}" if total.calls else ""


def _common(tests: Sequence[str]) -> str:
    """Return the id that selects all of these tests: one test, all parameters of a function, a file, or everything."""
    if len(set(tests)) == 1:
        return tests[0]
    functions = {test.partition("[")[0] for test in tests}
    if len(functions) == 1:
        return functions.pop()
    files = {test.partition("::")[0] for test in tests}
    return files.pop() if len(files) == 1 else ""


def _named(group: Sequence[CaseRow], *, verbose: bool) -> str:
    shown = group if verbose else group[:CASES_SHOWN]
    names = ", ".join(one_line(row.test, 160) for row in shown)
    more = len(group) - len(shown)
    return f"{names} and {more:,} more" if more else names


def _cassettes(number: int, kind: str = "") -> str:
    return f"{number:,} {kind}{'cassette' if number == 1 else 'cassettes'}"


PROOFS_SHOWN = 10
"""Maximum number of findings to list in a normal run; -v lists all of them."""


def proof_lines(rows: Sequence[CaseRow], *, verbose: bool) -> Iterator[str]:
    """Yield the number of proven findings, and each unproven one of a test that passed; nothing without experiments.

    A failure shows its findings itself. `verbose` lists them here, too.
    """
    from ...retry.proof import ProofResult
    from ..rerun.obstacles import OFF

    found = [(row, proof) for row in rows for proof in row.proofs if not proof.reason.startswith(OFF)]
    if not found:
        return
    counted = Counter(proof.result for _, proof in found)
    told = ", ".join(f"{counted[result]} {result.value}" for result in ProofResult if counted[result])
    yield ""
    yield f"{len(found)} {'finding' if len(found) == 1 else 'findings'} tried by experiment: {told}"
    order = [
        result.value
        for result in (
            ProofResult.WRONG,
            ProofResult.MISSING,
            ProofResult.UNCLEAR,
            ProofResult.UNPROVEN,
            ProofResult.NOT_JUDGED,
        )
    ]
    shown = [told for told in found if verbose or told[0].result not in ("failed", "error")]
    shown.sort(key=lambda told: told[0].result == "passed")  # expected losses come last
    open_ones = [(row, proof) for result in order for row, proof in shown if proof.result == result]
    for row, proof in open_ones if verbose else open_ones[:PROOFS_SHOWN]:
        attempt = f"conversation {proof.conversation}, attempt {proof.attempt}"
        place = f"{attempt}, {to_dotted(proof.path)} [{proof.code}]"
        yield f"  {proof.result}: {one_line(row.test, 160)}: {one_line(place, 120)}"
        yield f"    {one_line(proof.reason, 240)}"
    if len(open_ones) > PROOFS_SHOWN and not verbose:
        yield f"  and {len(open_ones) - PROOFS_SHOWN} more; -v lists all"


def off_lines(rows: Sequence[CaseRow]) -> Iterator[str]:
    """Yield a line for each reason that prevented experiments, with the number of tests and a remedy."""
    from ..rerun.obstacles import OFF, group_of

    reasons: dict[str, dict[str, str]] = {}
    for row in rows:
        for proof in row.proofs:
            if proof.reason.startswith(OFF):
                reasons.setdefault(group_of(proof.reason), {}).setdefault(row.test, proof.reason)
    if reasons:
        yield ""
    for tests in reasons.values():
        test, reason = next(iter(tests.items()))
        where = one_line(test, 100) if len(tests) == 1 else f"{len(tests)} tests ({one_line(test, 100)}, …)"
        why = reason.removeprefix(OFF)
        yield f"not run again, so judged by reading alone: {where}, since {one_line(why, 320)}"
