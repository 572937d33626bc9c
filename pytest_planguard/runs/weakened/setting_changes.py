"""Compare the settings of a session and of a marker: which value is stricter."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from ..gate.weakening import Weakening, Weight

if TYPE_CHECKING:
    from .tree_facts import Setting

Judge = Callable[["Setting", "Setting"], bool | None]
"""Takes the values of base and candidate, which differ. Returns True for weaker, False for stricter, None if unknown.
"""


def _ranked(*words: Setting) -> Judge:
    """Return a judge for words listed from strictest to weakest."""

    def judge(old: Setting, new: Setting) -> bool | None:
        return words.index(new) > words.index(old) if old in words and new in words else None

    return judge


def _number(*, more_is_weaker: bool, none_is_weakest: bool = True) -> Judge:
    def judge(old: Setting, new: Setting) -> bool | None:
        if old is None or new is None:
            return none_is_weakest is (new is None)
        if not isinstance(old, int | float) or not isinstance(new, int | float):
            return None
        return (new > old) is more_is_weaker

    return judge


def _names(*, more_is_weaker: bool) -> Judge:
    def judge(old: Setting, new: Setting) -> bool | None:
        one, other = (set(value) if isinstance(value, list) else set[str]() for value in (old, new))
        return bool(other - one if more_is_weaker else one - other)

    return judge


_AGE = re.compile(r"(\d+(?:\.\d+)?)\s*([hdw])")
"""An age in a marker: "12h", "90d", "8w"."""
_HOURS = {"h": 1, "d": 24, "w": 168}


def _age(old: Setting, new: Setting) -> bool | None:
    """Judge ages in words or seconds. None allows any age."""
    ages = [float(m[1]) * _HOURS[m[2]] if (m := _AGE.fullmatch(str(value))) else value for value in (old, new)]
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
