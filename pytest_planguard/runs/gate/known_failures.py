"""The committed list of known failures: what may fail, until when, and who is responsible for it.

A failure that isn't listed is new. An entry that has expired or no longer fails also fails the run, because an outdated
list hides new failures.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...document.path import WildcardPath, to_dotted
from ...errors import RunError
from ...replay.files.names import CLIPPED, safe_name
from ..model.broken_rules import Broken, broken_rules
from ..model.codec import RowError, maybe_text, objects, seen, text, wildcard_path_of
from ..store.cassette_folders import recorded_case
from ..store.project_files import write_whole

if TYPE_CHECKING:
    from ..model.run import CaseRow

WEAKENED = "weakened:"
"""Prefix of the rule of an entry that accepts a weakening. Such an entry is never a new, known or fixed failure."""
TEST_ID = "::"
"""A separator that test ids contain, but keys of answers and files do not."""
Identity = tuple[str, str, WildcardPath, str]
"""Case key, rule, path with None for every index, and the model of the case ("" if it is for any)."""


@dataclass(frozen=True, slots=True)
class KnownFailure:
    """One known failure."""

    case: str
    rule: str
    path: WildcardPath = ()
    """None (null in the file) for every index; () if the rule is about the whole answer."""
    first_seen: str | None = None
    """The day it was listed, as ISO 8601."""
    owner: str | None = None
    reason: str | None = None
    expires: str | None = None
    """The last day on which it may fail, as ISO 8601. None sets no limit."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Fields that the user added. They are preserved."""
    model: str = ""
    """The model that fails, if the case is for one. The entry says nothing about the others."""

    @property
    def identity(self) -> Identity:
        """The case, rule, path and model that identify an entry."""
        return (self.case, self.rule, self.path, self.model)

    @property
    def broken(self) -> str:
        """The rule and place, as in 'enum at priority'."""
        return str(Broken(self.rule, self.path))

    def expired(self, today: date) -> bool:
        """Return True if its last day has passed. ISO 8601 days sort as text."""
        return self.expires is not None and self.expires < today.isoformat()

    def __str__(self) -> str:
        return f"{self.case}{f' with {self.model}' if self.model else ''}: {self.broken}"


@dataclass(frozen=True, slots=True)
class Baseline:
    """All known failures, sorted, with unique identities."""

    entries: tuple[KnownFailure, ...] = ()
    _by_identity: dict[Identity, KnownFailure] = field(init=False, repr=False, compare=False)
    """Each failure is looked up by itself: with 6,000 failures and as many entries, a search takes minutes."""

    def __post_init__(self) -> None:
        # Reversed, so that the first of two equal entries wins: an update adds its own at the end, without an owner.
        first = {entry.identity: entry for entry in reversed(self.entries)}
        object.__setattr__(self, "entries", tuple(first[identity] for identity in _sorted(first)))
        object.__setattr__(self, "_by_identity", first)

    @property
    def failures(self) -> tuple[KnownFailure, ...]:
        """The entries about a failure. The others accept a weakening."""
        return tuple(entry for entry in self.entries if not entry.rule.startswith(WEAKENED))

    def listed(self, row: CaseRow, broken: Broken, today: date) -> KnownFailure | None:
        """Return the entry that lists a failure of a row; None if there is none, or if it has expired."""
        entry = self._by_identity.get(identity_of(row, broken))
        return None if entry is None or entry.expired(today) else entry

    def covers(self, rows: Iterable[CaseRow], broken: Iterable[Broken], today: date) -> bool:
        """Return True if all these failures are listed for the rows of a case that break them, and none has expired."""
        rules = [(row, frozenset(broken_rules([row]))) for row in rows]
        # "or rules": no single row breaks a rule that the caller found otherwise, so every row needs an entry for it.
        breaking = {rule: [row for row in rules if rule in row[1]] or rules for rule in broken}
        return all(self.listed(row, rule, today) is not None for rule, found in breaking.items() for row, _ in found)


def identity_of(row: CaseRow, broken: Broken) -> Identity:
    """Return the identity of the entry that lists a failure of a row."""
    return (row.key, broken.rule, broken.path, model_of(row))


def model_of(row: CaseRow) -> str:
    """Return the model that a row's test names, or that its variant is named after; "" if any model may answer.

    Cases that differ only in it share one key. The variants "v2--gpt-5-mini" and, as the folder of cassettes, "gpt-4-1"
    are named after "gpt-5-mini" and "gpt-4.1".
    """
    if row.for_model:
        return row.for_model
    variant = safe_name(row.variant, CLIPPED) if row.variant else ""
    models = (row.model or "").split(", ")
    # The dashes before the variant let "gpt-5-mini" itself end so, but not "my-gpt-5-mini".
    return next((m for m in models if m and f"--{variant}".endswith(f"--{safe_name(m, CLIPPED)}")), "")


def is_of(entry: KnownFailure, row: CaseRow) -> bool:
    """Return True if the entry is about the row's case and model."""
    return (entry.case, entry.model) == (row.key, model_of(row))


def covering(baseline: Baseline, row: CaseRow, broken: Iterable[Broken], today: date) -> tuple[KnownFailure, ...]:
    """Return the entries that list all these failures of a row; () if one is not listed or has expired."""
    entries = [baseline.listed(row, found, today) for found in dict.fromkeys(broken)]
    known = tuple(entry for entry in entries if entry is not None)
    return known if len(known) == len(entries) else ()


@dataclass(frozen=True, slots=True)
class BaselineReport:
    """A run compared with the baseline."""

    new: tuple[KnownFailure, ...] = ()
    """Failures that are not listed."""
    known: tuple[KnownFailure, ...] = ()
    """Failures that are listed and may fail."""
    expired: tuple[KnownFailure, ...] = ()
    """Failures that are listed but have expired."""
    fixed: tuple[KnownFailure, ...] = ()
    """Entries that no longer fail although their case ran. Remove them."""
    unseen: tuple[KnownFailure, ...] = ()
    """Entries whose case did not run, is stale, or sent a request without an answer. Their status is unknown."""
    without_model: tuple[KnownFailure, ...] = ()
    """Entries that name no model although their case ran only for some model. They list nothing."""

    @property
    def ok(self) -> bool:
        """True if the run may pass: no failure is new or expired, and no entry is fixed."""
        return not (self.new or self.expired or self.fixed)


def check_baseline(
    baseline: Baseline, rows: Iterable[CaseRow], today: date, before: Iterable[CaseRow] | None = None
) -> BaselineReport:
    """Compare the cases of a run with the list of known failures.

    `before` has the cases of the run it is compared with, or None. An entry about a test counts as fixed only if its
    cassette broke the rule before, because a cassette can't show what else the test checks.
    """
    rows = tuple(rows)
    failing, ran = _failures(rows)
    known_before, _ = _failures(before) if before is not None else (set[Identity](), None)
    listed = {entry.identity: entry for entry in baseline.failures}
    new = [KnownFailure(case, rule, path, model=model) for case, rule, path, model in _sorted(failing - listed.keys())]
    seen = [listed[identity] for identity in _sorted(failing & listed.keys())]
    resolved = [entry for entry in baseline.failures if entry.identity not in failing]
    only_recorded = {row.key for row in rows if row.result is None} if before is not None else set[str]()
    open_cases = {case for case in only_recorded if TEST_ID in case}
    gone = {
        e.identity
        for e in resolved
        if (e.case, e.model) in ran and (e.case not in open_cases or e.identity in known_before)
    }
    idle = {case for case, model in ran if model} - {case for case, model in ran if not model}
    unseen = [entry for entry in resolved if entry.identity not in gone]
    return BaselineReport(
        tuple(new),
        tuple(entry for entry in seen if not entry.expired(today)),
        tuple(entry for entry in seen if entry.expired(today)),
        tuple(entry for entry in resolved if entry.identity in gone),
        tuple(entry for entry in unseen if entry.model or entry.case not in idle),
        tuple(entry for entry in unseen if not entry.model and entry.case in idle),
    )


def updated(baseline: Baseline, rows: Iterable[CaseRow], today: date) -> Baseline:
    """Return the baseline with every failure of the run added. Existing entries keep their fields.

    Use the old baseline to decide whether the run passes: listing a failure doesn't excuse it in the same run.
    """
    report = check_baseline(baseline, rows, today)
    added = [replace(entry, first_seen=today.isoformat()) for entry in report.new]
    return Baseline((*baseline.entries, *added))


def pruned(
    baseline: Baseline, rows: Iterable[CaseRow], today: date, before: Iterable[CaseRow] | None = None
) -> Baseline:
    """Return the baseline without the entries that no longer fail.

    Keep the entries of cases that did not run. The arguments are the same as for `check_baseline`.
    """
    resolved = {entry.identity for entry in check_baseline(baseline, rows, today, before).fixed}
    return Baseline(tuple(entry for entry in baseline.entries if entry.identity not in resolved))


def _failures(rows: Iterable[CaseRow]) -> tuple[set[Identity], set[tuple[str, str]]]:
    """Return the identities of all failures, and the keys and models of the cases that ran to their end.

    Entries of those cases may be resolved.
    """
    failing: set[Identity] = set()
    ran: set[tuple[str, str]] = set()
    for row in rows:
        if not row.is_evidence:
            continue
        if not row.misses:
            ran.add((row.key, model_of(row)))
        failing |= {identity_of(row, found) for found in broken_rules([row])}
    return failing, ran


def _sorted(identities: Iterable[Identity]) -> list[Identity]:
    """Return the identities by case, rule, place (as text, since None doesn't sort with text) and model."""
    return sorted(identities, key=lambda identity: (*identity[:2], to_dotted(identity[2]), identity[3]))


# The baseline as a file: sorted JSON that is easy to review.

FORMAT = 1
KIND = "baseline"
OWN = ("case", "rule", "path", "first_seen", "owner", "reason", "expires")
MODEL = "model"
"""The field of an entry whose case is for one model."""


def read_baseline(path: Path, update: str = "--baseline-update") -> Baseline:
    """Read a baseline. `update` is the option that creates one, for messages.

    Raises RunError if the file is missing, broken, or written by a later planguard. The message names the entry.
    """
    if path.exists() and not path.is_file():  # a link in a checkout may lead to /dev/zero
        raise RunError(f"{path}: the baseline is not a file. Restore it from version control.")
    try:
        text = path.read_bytes()
    except OSError as error:
        way = f"Make it with {update}."
        raise RunError(f"{path}: the baseline cannot be read: {error.strerror or error}. {way}") from error
    return parse_baseline(text, str(path))


def parse_baseline(text: str | bytes, name: str) -> Baseline:
    """Return the baseline in a file's text. Raises RunError, which gives the file's `name`."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RunError(f"{name}: the baseline is not JSON: {error}. Restore it from version control.") from error
    try:
        return Baseline(tuple(_entries(data)))
    except RowError as error:
        raise RunError(f"{name}: {error}. Fix it, or restore it from version control.") from error


def write_baseline(path: Path, baseline: Baseline) -> Path:
    """Write a baseline atomically. Raises RunError."""
    return write_whole(path, [baseline_text(baseline)], "the baseline")


def baseline_text(baseline: Baseline) -> str:
    """Return the text of the file, with one line for each field of an entry, including its path."""
    entries = ",\n".join(map(_entry_text, baseline.entries))
    failures = f"[\n{entries}\n  ]" if entries else "[]"
    return f'{{\n  "planguard": "{KIND}",\n  "format": {FORMAT},\n  "failures": {failures}\n}}\n'


def _entry_text(entry: KnownFailure) -> str:
    fields = (f"      {json.dumps(name)}: {json.dumps(value)}" for name, value in entry_data(entry).items())
    return "    {\n" + ",\n".join(fields) + "\n    }"


def _entries(data: object) -> Iterator[KnownFailure]:
    if not isinstance(data, dict) or data.get("planguard") != KIND:
        raise RowError('it is not a baseline: the field "planguard" must be "baseline"')
    if data.get("format") != FORMAT:
        raise RowError(f"baseline format {seen(data.get('format'))}, and this planguard reads {FORMAT}")
    for number, entry in enumerate(objects(data, "failures"), 1):
        try:
            yield _entry(entry)
        except RowError as error:
            raise RowError(f"entry {number}: {error}") from error


def _entry(data: dict[str, Any]) -> KnownFailure:
    return KnownFailure(
        _case(text(data, "case"), maybe_text(data, MODEL)),
        text(data, "rule"),
        wildcard_path_of(data),
        _day(data, "first_seen"),
        maybe_text(data, "owner"),
        maybe_text(data, "reason"),
        _day(data, "expires"),
        {key: value for key, value in data.items() if key not in (*OWN, MODEL)},
        maybe_text(data, MODEL) or "",
    )


def _case(key: str, model: str | None) -> str:
    """Return the key of a case. If the list gives a cassette's path, that is the key of its test."""
    recorded = recorded_case(key, model=model)
    return key if recorded is None else recorded.key


def _day(data: dict[str, Any], name: str) -> str | None:
    """Return a day in the one spelling that sorts as text."""
    value = maybe_text(data, name)
    if value is None:
        return None
    try:
        return date.fromisoformat(value).isoformat()
    except ValueError as error:
        raise RowError(f"the field {name!r} must be a day like 2026-12-31, got {seen(value)}") from error


def entry_data(entry: KnownFailure) -> dict[str, Any]:
    """Return an entry as plain data, including the user's own fields."""
    own = {name: getattr(entry, name) for name in OWN}
    model = {MODEL: entry.model} if entry.model else {}
    return {**own, "path": list(entry.path), **model, **entry.extra}
