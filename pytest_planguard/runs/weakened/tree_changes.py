"""Compare the code of two trees: tests that are gone or held back, markers, settings, hooks, contracts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..gate.weakening import Weakening, Weight
from .contract_changes import ContractChange, changed_files, contract_change
from .setting_changes import added_options, setting_changes

if TYPE_CHECKING:
    from .tree_facts import TestFacts, TreeFacts


@dataclass(frozen=True, slots=True)
class TreeChanges:
    """How the code changed."""

    weakenings: tuple[Weakening, ...] = ()
    contracts: tuple[ContractChange, ...] = ()
    """The changed contracts."""


def tree_changes(before: TreeFacts, after: TreeFacts, renamed: Mapping[str, str]) -> TreeChanges:
    """Compare the code of two trees. `renamed` has the new ids of renamed tests by their old ones."""
    found = [*_problems(before, after), *_tests(before, after, renamed), *_session(before, after)]
    changes = [
        contract_change(before.contracts[held.base], after.contracts[held.candidate], held.accepts, held.refuses)
        for held in after.held
    ]
    changed = tuple(dict.fromkeys(change for change in changes if not change.empty))
    return TreeChanges((*found, *(each for change in changed for each in change.weakenings())), changed)


def _problems(before: TreeFacts, after: TreeFacts) -> Iterator[Weakening]:
    for name, facts in (("base", before), ("candidate", after)):
        for problem in facts.problems:
            yield Weakening(f"the {name}'s code", "unknown", problem, Weight.UNKNOWN)


def _tests(before: TreeFacts, after: TreeFacts, renamed: Mapping[str, str]) -> Iterator[Weakening]:
    for name, test in before.tests.items():
        now = after.tests.get(renamed.get(name, name))
        if now is None:
            yield Weakening(name, "tests", "no longer collected as a marked test")
            continue
        for word in now.held_back:
            if word not in test.held_back:
                yield Weakening(name, "tests", f"{word} is new")
        yield from setting_changes(name, test.settings, now.settings, "marker")
        yield from _fewer(name, test, now, before, after)


def _fewer(name: str, test: TestFacts, now: TestFacts, before: TreeFacts, after: TreeFacts) -> Iterator[Weakening]:
    old, new = (
        [facts.contracts[label].name for label in each.contracts] for each, facts in ((test, before), (now, after))
    )
    if len(new) < len(old):
        yield Weakening(name, "marker", f"judged by {', '.join(new) or 'no contract'}, and by {', '.join(old)} before")


def _session(before: TreeFacts, after: TreeFacts) -> Iterator[Weakening]:
    if before.settings and not after.settings and not after.problems:
        yield Weakening("pytest", "settings", "planguard is switched off")
        return
    yield from added_options(before.settings, after.settings)
    yield from setting_changes("pytest", before.settings, after.settings, "settings")
    for hook in after.hooks:
        if hook not in before.hooks:
            yield Weakening(hook.partition(": ")[0], "hooks", f"implements {hook.partition(': ')[2]}")
    for path in changed_files(before.code, after.code):
        yield Weakening(path, "plugin", "its code changed, and pytest loads it before the tests", Weight.UNCLEAR)
