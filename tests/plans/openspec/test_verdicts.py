"""Our findings on OpenSpec changes against the verdicts of OpenSpec itself, requirement by requirement."""

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from pytest_planguard.plans.judging.judge_files import check_text

from ...support.nightly import drawn
from .changes import CHANGES, DEFECTS, all_changes

VERDICTS = Path(__file__).with_name("verdicts.jsonl")
MAPPED = (
    (r'^(?:ADDED|MODIFIED) "(?P<name>.+?)" is missing requirement text', "req-text"),
    (r'^(?:ADDED|MODIFIED) "(?P<name>.+?)" must include at least one scenario', "req-scenario"),
    (r'^(?:ADDED|MODIFIED) "(?P<name>.+?)" .*(?:SHALL|MUST)', "req-normative"),
    (r'^Duplicate requirement in \w+: "(?P<name>.+?)"', "req-unique"),
    (r'^Duplicate (?:FROM|TO) in RENAMED: "(?P<name>.+?)"', "delta-conflict"),
    (r'^Requirement present in both \w+ and \w+: "(?P<name>.+?)"', "delta-conflict"),
    (r'^RENAMED (?:FROM|TO): "(?P<name>.+?)" has no matching', "delta-conflict"),
    (r'^RENAMED TO collides with ADDED for "(?P<name>.+?)"', "delta-conflict"),
    (r"^MODIFIED references old name from RENAMED(?P<name>)", "delta-conflict"),
    (r'^Requirement "(?P<name>.+?)" is (?:under|above)', "delta-orphan"),
    (r"^Delta sections .* were found(?P<name>)", "delta-section"),
    (r"^No delta sections found(?P<name>)", "delta-section"),
    (r'^Task ID "(?P<name>.+?)" is duplicated', "id-unique"),
    (r'^Task "(?P<name>.+?)" is under group', "id-group-match"),
)
"""Messages of OpenSpec with the rule that says the same, and what it is about; "" where it is about the whole."""
UNMAPPED = ("Change must have at least one delta",)
"""What OpenSpec says besides of the same defect."""
OURS = {code for _, code in MAPPED}


def said(message: str) -> tuple[str, str] | None:
    """Rule and name of a message of OpenSpec; None where it is one of `UNMAPPED`."""
    for pattern, code in MAPPED:
        found = re.search(pattern, message)
        if found is not None:
            return code, found["name"]
    assert message.startswith(UNMAPPED), message
    return None


def found_here(delta: str, tasks: str) -> frozenset[tuple[str, str]]:
    """Rule and name of each of our findings."""
    return found_in("openspec/changes/x/specs/core/spec.md", delta) | found_in("openspec/changes/x/tasks.md", tasks)


@cache  # a defect in one of the two files leaves the other as it was
def found_in(path: str, text: str) -> frozenset[tuple[str, str]]:
    """Rule and name of each of our findings on one file."""
    name = "openspec-delta" if path.endswith("spec.md") else "openspec-tasks"
    findings = [finding for finding in check_text(text, path=path, format=name).findings if finding.code in OURS]
    return frozenset((one.code, str(one.path[1]).split(" #")[0] if len(one.path) > 1 else "") for one in findings)


@pytest.mark.slow
def test_the_verdicts_of_openspec_are_ours() -> None:
    """Nothing that OpenSpec reports is missed, and at most five in a hundred of ours are not its own."""
    verdicts = {name: issues for name, _, issues in map(json.loads, VERDICTS.read_text(encoding="utf-8").splitlines())}
    assert len(verdicts) == CHANGES * (2 * len(DEFECTS) + 1)
    assert CHANGES >= 60
    assert len(DEFECTS) >= 25
    missed: Counter[str] = Counter()
    extra: Counter[str] = Counter()
    both = 0
    some = drawn([*all_changes()], 11)  # every defect is among them: a change has 53 versions
    for name, delta, tasks in some:
        theirs = {one for *_, message in verdicts[name] if (one := said(message)) is not None}
        ours = found_here(delta, tasks)
        named = {one for one in theirs if one[1]}
        whole = {code for code, about in theirs if not about}
        defect = name[3:-2]
        for code, about in named - ours:
            missed[f"{defect}: {code} {about}"] += 1
        for code in whole - {code for code, _ in ours}:
            missed[f"{defect}: {code}"] += 1
        for code, about in ours:
            if (code, about) in named or code in whole:
                both += 1
            else:
                extra[f"{defect}: {code}"] += 1
    assert not missed, missed.most_common(12)
    assert sum(extra.values()) * 20 <= both, (both, extra.most_common(12))
    assert both * len(verdicts) > 3000 * len(some)
