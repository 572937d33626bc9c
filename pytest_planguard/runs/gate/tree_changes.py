"""Compare the code of two trees: tests that are gone or held back, markers, settings, hooks, builds and cassettes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...contract.phrasing import plural
from ..compare.classification import good_samples
from ..compare.run_diff import Bucket
from ..model.case_samples import each_of
from .schema_changes import SchemaChange, schema_changes
from .tree_facts import ContractChange, changed_files, contract_change
from .weakening import Weakening, Weight

if TYPE_CHECKING:
    from ...replay.files.reader import Cassette
    from ..compare.run_diff import CaseDiff
    from .tree_facts import Setting, TestFacts, TreeFacts


Judge = Callable[["Setting", "Setting"], bool | None]
"""Takes the values of base and candidate, which differ. Returns True for weaker, False for stricter, None if unknown.
"""


def _ranked(*words: Setting) -> Judge:
    """Return a judge for words listed from strictest to weakest."""

    def judge(old: Setting, new: Setting) -> bool | None:
        return words.index(new) > words.index(old) if old in words and new in words else None

    return judge


def _number(*, more_is_weaker: bool) -> Judge:
    def judge(old: Setting, new: Setting) -> bool | None:
        if old is None or new is None:
            return new is None
        if not isinstance(old, int | float) or not isinstance(new, int | float):
            return None
        return (new > old) is more_is_weaker

    return judge


def _names(*, more_is_weaker: bool) -> Judge:
    def judge(old: Setting, new: Setting) -> bool | None:
        one, other = (set(value) if isinstance(value, list) else set[str]() for value in (old, new))
        return bool(other - one if more_is_weaker else one - other)

    return judge


_AGE = re.compile(r"\s*(\d{1,6})\s*([hdw])\s*")
"""An age in a marker: "12h", "90d", " 8 w "."""
_HOURS = {"h": 1, "d": 24, "w": 168}


def _age(old: Setting, new: Setting) -> bool | None:
    """Judge ages in words or seconds. None allows any age."""
    ages = [int(m[1]) * _HOURS[m[2]] if (m := _AGE.fullmatch(str(value))) else value for value in (old, new)]
    return _number(more_is_weaker=True)(*ages)


def _status(old: Setting, new: Setting) -> bool | None:
    return _ranked("fail", "warn", "not applicable")(old, new)


_MATCH = _ranked("strict", "gated", "ordered", "lenient")
_FEWER_IS_WEAKER, _MORE_IS_WEAKER = _names(more_is_weaker=False), _names(more_is_weaker=True)
_LESS, _GREATER = _number(more_is_weaker=False), _number(more_is_weaker=True)
_YES, _NO = _ranked(True, False), _ranked(False, True)
JUDGES: Mapping[str, Judge] = {
    # For a marker.
    "match": _MATCH, "max_attempts": _GREATER, "must_feed_back": _ranked("contract", "app"),
    "coverage": _ranked("all", "first", "any"), "weakest": _ranked("verbatim", "located", "weak"),
    "unclear": _status, "known_wordings": _NO, "copy_check": _YES, "escalates": _MORE_IS_WEAKER,
    "min_score": _LESS, "min_pass_rate": _LESS, "samples": _LESS, "max_age": _age,
    "prove": _ranked("always", True, "auto", None, "never", False),
    "mode": _ranked(None, "driven", "observed", "check"),
    "redact": _FEWER_IS_WEAKER,
    # For a session.
    "default_match": _MATCH, "stale_fails": _YES, "fail_under": _LESS, "block_network": _YES,
    "allowed_hosts": _MORE_IS_WEAKER, "processes": _ranked("fail", "note", "allow"),
    "prove_fixtures": _FEWER_IS_WEAKER, "prove_except": _MORE_IS_WEAKER, "prove_reruns": _LESS, "prove_seconds": _LESS,
    "plan_files": _FEWER_IS_WEAKER, "gives_up": _MORE_IS_WEAKER, "xfail_strict": _YES,
    "record": _ranked("none", "verify", "missing", "stale", "all"),
}  # fmt: skip
"""The judge of each setting by its name. `checks.NAME` is judged as a status."""
SILENT = frozenset(("in_ci", "save", "baseline_update", "baseline_prune", "record_max_calls", "record_max_tokens"))
SILENT |= {"prices", "snapshot_redact", "task", "model", "models", "search", "baseline", "addopts", "cassette_dir"}
"""Settings that affect no verdict, or whose effect is reported elsewhere: in the tests, the cassettes, the baseline."""
_NOTHING: tuple[Setting, ...] = (None, [], "")
_DESELECTS = re.compile(
    r"-[km].*|--(deselect|ignore|ignore-glob|collect-only|co|setup-only|setup-plan|fixtures|markers|help|version"
    r"|planguard-[a-z-]+)(=.*)?|-h|-V|-p|(-p)?no:.*"
)
"""Options in `addopts` that deselect tests or run none: "-k 'not retry'", "--collect-only", "-p no:planguard"."""


def setting_changes(
    about: str, before: Mapping[str, Setting], after: Mapping[str, Setting], kind: str
) -> Iterator[Weakening]:
    """Yield the settings that are weaker in the candidate, or that may be."""
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name), after.get(name)
        # With the types, as True == 1: prove=True is another setting than prove=1.
        if name in SILENT or (type(old), old) == (type(new), new) or (old in _NOTHING and new in _NOTHING):
            continue
        judge = _status if name.startswith("checks.") else JUDGES.get(name)
        weaker = None if judge is None else judge(old, new)
        if weaker is not False:
            weight = Weight.WEAKENED if weaker else Weight.UNCLEAR
            yield Weakening(about, kind, f"{name} {_shown(old)} → {_shown(new)}", weight)


def added_options(before: Mapping[str, Setting], after: Mapping[str, Setting]) -> Iterator[Weakening]:
    """Yield the new words of `addopts` if they deselect tests or run none."""
    old, new = (value if isinstance(value, list) else [] for value in (before.get("addopts"), after.get("addopts")))
    fresh = [word for word in new if word not in old]
    if any(map(_DESELECTS.fullmatch, fresh)):
        yield Weakening("addopts", "options", f"adds {' '.join(fresh)}")


def _shown(value: Setting) -> str:
    text = ", ".join(value) if isinstance(value, list) else "unset" if value is None else str(value)
    return text or "none"


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


FILES = re.compile(
    r"\.github/(workflows|actions)/.+|\.gitlab-ci\.ya?ml|\.pre-commit-config\.yaml|(.+/)?(tox\.ini|noxfile\.py|Makefile)"
)
"""Files that describe builds: ".github/workflows/planguard.yml"."""
_GATE = re.compile(r"planguard|pytest|fail-on|fail_on|contract:|baseline:", re.IGNORECASE)
"""Words in a line that runs the gate: "run: pytest", "fail-on: new,weakened"."""
_SOFTENS = re.compile(r"continue-on-error|allow_failure|\|\| *(true|:)|\bexit 0\b|^\s*(- )?if: *(false|\$\{\{ *false)")
"""Words that keep a failure from counting: "continue-on-error: true", "pytest || true"."""


def workflow_changes(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[Weakening]:
    """Yield the weakenings in build files that run the gate. The texts of both trees are given by path.

    A build that runs the candidate's own files can leave out the gate altogether. Then this check doesn't run either.
    """
    for path, old in before.items():
        if _GATE.search(old) is None:
            continue
        now = _lines(after.get(path, ""))
        was = _lines(old)
        gone = [line for line in was if line not in now and _GATE.search(line)]
        softer = [line for line in now if line not in was and _SOFTENS.search(line)]
        if gone:
            yield Weakening(path, "build", f"lacks a line of the gate: {gone[0]}")
        if softer:
            yield Weakening(path, "build", f"has a line that ignores failures: {softer[0]}")


def _lines(text: str) -> list[str]:
    """Return the lines that are neither blank nor a comment."""
    return [line.strip() for line in text.split("\n") if line.strip() and not line.strip().startswith("#")]


def renamed_cases(cases: Sequence[CaseDiff], before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, str]:
    """Return the new keys of renamed cases by their old ones. A case is renamed if its cassette moved unchanged.

    `before` and `after` have the id of each file's content by its path.
    """
    moved = {
        content: case.key
        for case in cases
        if case.bucket is Bucket.ADDED and (content := _content(case.candidate, after)) is not None
    }
    return {
        case.key: moved[content]
        for case in cases
        if case.bucket is Bucket.REMOVED and (content := _content(case.base, before)) in moved
    }


def _content(rows: Sequence[Any], contents: Mapping[str, str]) -> str | None:
    return contents.get(rows[0].cassette or "") if rows else None


def case_changes(cases: Sequence[CaseDiff], renamed: Mapping[str, str]) -> Iterator[Weakening]:
    """Yield the cases that are gone, and good ones that now have several samples, some of them bad."""
    for case in cases:
        if case.bucket is Bucket.REMOVED and case.key not in renamed:
            yield Weakening(case.key, "cassettes", "its cassette is gone")
        before, after = each_of(case.base), each_of(case.candidate)
        # More samples let a bad one pass by its rate. If all are good, nothing was hidden.
        if len(after) > len(before) > 0 and not all(row.ok for row in after):
            was = f"{good_samples(after)}, and {len(before):,} of the base"
            yield Weakening(case.key, "cassettes", f"{plural(len(after), 'sample')} now: {was}")


def cassette_changes(before: Mapping[str, Cassette], after: Mapping[str, Cassette]) -> Iterator[Weakening]:
    """Yield the cassettes that were changed by hand. The keys of both mappings are common names."""
    for name, cassette in after.items():
        old = before.get(name)
        known = () if old is None else old.doubts
        for doubt in cassette.doubts:
            if doubt not in known:
                yield Weakening(name, "cassettes", doubt)
        if old is not None and old.document.mark is not None and cassette.document.mark is None:
            yield Weakening(name, "cassettes", "its end mark, which reveals changes by hand, is gone")


def shown_schemas(
    before: Mapping[str, Cassette], after: Mapping[str, Cassette]
) -> tuple[tuple[str, SchemaChange], ...]:
    """Return the changes in the schemas that requests showed the model: each tool's schema, and the answer's."""
    old, new = _schemas(before), _schemas(after)
    return tuple(
        (name, change) for name in sorted(old.keys() & new.keys()) for change in schema_changes(old[name], new[name])
    )


def _schemas(cassettes: Mapping[str, Cassette]) -> dict[str, object]:
    found: dict[str, object] = {}
    for cassette in cassettes.values():
        for exchange in cassette.exchanges:
            found |= {f"tool {name}": schema for name, schema in exchange.tools.items()}
            if exchange.output_schema is not None:
                found[f"answer {exchange.output_schema.get('title', '')}".strip()] = exchange.output_schema
    return found
