"""A project's policy for its plan files, in words: "spec-kit", "parallel-safe=retry", "id-gap=off"."""

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatch
from functools import partial
from pathlib import Path
from typing import cast

from ...contract.finding import Finding, Severity
from ...contract.finding_places import with_positions
from ...document.answer import Document
from ...errors import UsageError
from ..declared.described import json_schema_check, read_plan_format, with_json_schema
from ..plan import Plan
from ..profiles.atomicguard import LEVELLED, MAX_EXPLORATIONS, R_MAX, Level, LevelSettings, with_level
from ..profiles.formats import PROFILES, profiles_of, read_plan
from ..reading.markdown_pieces import TooMuchError
from ..reading.profile import Profile
from ..rules.judge_plan import BY_CODE, RULES, by_place, check_plan, rule_of
from ..rules.rule import Rule
from .artifact_schema import COMPLETED, check_version, schema_findings, schema_kind, with_schema
from .judge_files import PlanReport, check_text, read_document
from .neighbours import Neighbours
from .suppression import without_suppressed

OFF = "off"
"""The value that switches a rule off: "parallel-safe=off"."""
SCHEMA = "schema"
"""The key for the format's schema: "schema=off" or "schema=implemented" (a schema version)."""
JSON_SCHEMA = "json-schema"
"""The key for a JSON Schema to add to the named format: "json-schema=schemas/runbook.json"."""
FILE_SUFFIXES = (".yaml", ".yml")
"""A word with one of these suffixes names a file that describes a format."""

_LEVEL_NUMBERS = {"r_max": R_MAX, "max_explorations": MAX_EXPLORATIONS}
_LEVEL_WORDS = ("level", *_LEVEL_NUMBERS, "catalogue")
"""The keys for step plans: "level=medium", "r_max=20", "catalogue=syntax,tests"."""


@dataclass(frozen=True, slots=True)
class PlanPolicy:
    """The format of plan files, the rules that they must satisfy, and the rules' severities."""

    format: str | None = None
    """The name of a format or a family of formats; None to detect the format of each file."""
    rules: tuple[Rule, ...] = field(default_factory=lambda: tuple(RULES))
    severity: Mapping[str, Severity] = field(default_factory=dict)
    """Maps a rule code to a severity. Naming a rule that is off by default turns it on."""
    profiles: tuple[Profile, ...] = field(default_factory=lambda: tuple(PROFILES))
    """The known formats."""
    schema: bool = True
    """True if documents must also satisfy their format's schema, if it has one."""
    overrides: tuple[tuple[str, str, str], ...] = ()
    """Glob of paths, rule code and level (possibly "off"), for files with their own severities."""
    levels: LevelSettings | None = None
    """How thoroughly to verify step plans; None applies only the rules."""
    catalogue: tuple[str, ...] | None = None
    """Names of the guards, agents or runners that tasks may name; None skips this check."""
    version: str = COMPLETED
    """Schema version: "completed" or "implemented". They allow different values for a feature's status."""
    relative: Callable[[str], str] = field(default=str, compare=False)
    """Returns a path in the form that the globs of `overrides` match."""

    @property
    def digest(self) -> str:
        """12 hex digits that change with the policy. They are the same in every process."""
        names = {profile.name for profile in self.candidates}
        said = [self.format or "", *(rule.code for rule in self.rules), *sorted(names)]
        said += [f"{code}={level}" for code, level in sorted(self.severity.items())] + [self.version] * self.schema
        said += [":".join(one) for one in self.overrides]
        schemas = [one.schema.json_schema() for one in self.candidates if one.schema is not None]
        said += [json.dumps(schemas) if schemas else ""] * self.schema
        said += [repr(self.levels)] if self.levels else []
        said += [f"catalogue={','.join(self.catalogue)}"] if self.catalogue is not None else []
        return hashlib.sha256("\n".join(said).encode()).hexdigest()[:12]

    def judge(self, texts: Mapping[str, str | bytes], forced: Collection[str] = ()) -> dict[str, PlanReport]:
        """Return the report of every file, including folder-wide findings. No text makes it raise an exception.

        Args:
            texts: maps each path, with forward slashes, to the file's content.
            forced: paths of files that are known to be plans, which may have any size. They are read in the format
                that `format` names, even if they look different. For a family, weak signs of a document are enough.
        """
        check = partial(check_text, rules=self.rules, severity=self.severity, catalogue=self.catalogue)
        named, known, candidates, reports = self.format is not None, {*forced}, self.candidates, {}
        for path, text in texts.items():
            judge = partial(check, hints=named and path in known, named=named, any_size=path in known)
            reports[path] = judge(text, path=path, profiles=candidates)
        family = {profile.name: profile.family for profile in candidates}
        beside = Neighbours(reports, texts, self._by_codes)
        reports = beside.judged(family)
        if any(profile.name == self.format for profile in self.profiles):
            for path in [path for path in reports if reports[path].plan is None and path in known]:
                reports[path] = check(texts[path], path=path, profiles=self.profiles, format=self.format, any_size=True)
        return {path: self._finished(path, report) for path, report in reports.items()}

    def _by_codes(self, plan: Plan, *codes: str) -> tuple[Finding, ...]:
        """Return the findings of rules by their codes. A custom rule runs too, but only beside the built-in one."""
        built_in = {code for code in codes if BY_CODE[code] in self.rules}
        rules = [rule for rule in self.rules if rule.code in built_in]
        return check_plan(plan, rules, severity=self.severity)

    def _finished(self, path: str, report: PlanReport) -> PlanReport:
        """Return the report with level and schema findings, without findings that the file or an override turns off."""
        if report.plan is not None:
            name = "plan.yaml" if schema_kind(report.plan.format) else report.path
            document = partial(read_document, report.text, name)
            report = replace(report, findings=self._with_level_and_schema(report.plan, report.findings, document))
        codes = [rule.code for rule in (*RULES, *self.rules)]
        report = replace(report, findings=without_suppressed(report, codes))
        known = self.relative(path)
        weights = {code: level for glob, code, level in self.overrides if fnmatch(known, glob)}  # the last match wins
        weighed = [(one, weights.get(one.code, one.severity.value)) for one in report.findings]
        kept = [replace(one, severity=Severity(level)) for one, level in weighed if level != OFF]
        return replace(report, findings=tuple(kept)) if self.overrides else report

    def unknown(self) -> str:
        """Return a description of the expected plan: "a plan in a known format", "a plan in the spec-kit format"."""
        return "a plan in a known format" if self.format is None else f"a plan in the {self.format} format"

    @property
    def medium(self) -> str | None:
        """The syntax of the named format's documents: "markdown" or "data" (JSON, YAML); None if both are possible."""
        media = {profile.medium for profile in self.candidates}
        return next(iter(media)) if len(media) == 1 else None

    @property
    def candidates(self) -> tuple[Profile, ...]:
        """The formats to consider for a file."""
        return self.profiles if self.format is None else profiles_of(self.format, self.profiles)

    def findings(self, document: Document) -> tuple[Finding, ...]:
        """Return the findings of a document that must be a plan of the policy's format; () if it is no plan."""
        try:
            plan = read_plan(document, self.format, profiles=self.profiles)
        except TooMuchError as error:
            return (error.finding,)
        if plan is None:
            return ()
        found = check_plan(plan, self.rules, severity=self.severity, catalogue=self.catalogue)
        return self._with_level_and_schema(plan, found, lambda: document)

    def _with_level_and_schema(
        self, plan: Plan, findings: tuple[Finding, ...], document: Callable[[], Document]
    ) -> tuple[Finding, ...]:
        """Return the findings of the rules with those of a step plan's level and of the format's schemas."""
        if self.levels is not None and plan.format == LEVELLED:
            findings = with_level(findings, plan, self.levels, self.severity)
        kind = schema_kind(plan.format)
        if self.schema and kind is not None:
            findings = by_place(with_schema(findings, schema_findings(document(), kind, self.version)))
        attached = next((profile.schema for profile in self.profiles if profile.name == plan.format), None)
        if self.schema and attached is not None:  # it also reports wrong types
            _, breaches = attached.validate(document().data)
            kept = [finding for finding in findings if finding.code != "root-shape"]
            findings = by_place([*kept, *with_positions(breaches, document())])
        return findings


def policy_of(
    words: Iterable[str] = (), *, folder: str | Path = ".", extra: Iterable[Rule] = (), profiles: Iterable[Profile] = ()
) -> PlanPolicy:
    """Return the policy that the words describe. Raises UsageError for an unknown word, or two that name formats.

    Args:
        words: each word is the name of a format or family (at most one), `CODE=LEVEL` (info, warn, retry or fail),
            `CODE=off`, `schema=off` or `schema=VERSION`. `schema` alone is the default. Step plans also have
            `level=LEVEL`, `r_max=N` and `max_explorations=N`. Formats that name guards or agents also have
            `catalogue=NAME,NAME`. `GLOB:CODE=LEVEL` applies only to some files. A name that ends in .yaml is a file
            that describes a format (`declared`). `json-schema=FILE` adds a JSON Schema to the named format.
        folder: file paths are relative to this folder.
        extra: custom rules, in addition to the known ones.
        profiles: custom formats, in addition to the known ones.
    """
    words, described = with_formats(words, folder)
    rules, known_profiles = (*RULES, *extra), (*PROFILES, *described, *profiles)
    split = (word.partition("=") for word in words if word.strip())
    said = [(name.strip(), equals, value.strip()) for name, equals, value in split]
    options = {name: value for name, _, value in said if name in (SCHEMA, JSON_SCHEMA, *_LEVEL_WORDS)}
    plain = [one for one in said if ":" not in one[0] and one[0] not in options]
    weights = {name: value for name, equals, value in plain if equals}
    formats = [name for name, equals, _ in plain if not equals]
    asked = [value for name, _, value in said if name == SCHEMA]
    version = next((value for value in reversed(asked) if value not in ("", OFF)), COMPLETED)
    check_version(version)
    overrides = tuple(_override(*setting, rules) for setting in said if ":" in setting[0])
    catalogue = tuple(map(str.strip, options["catalogue"].split(","))) if options.get("catalogue") else None
    levels = _levels(options, catalogue)
    if len(formats) > 1:
        raise UsageError(f"name one plan format, not {len(formats)}: {', '.join(formats)}")
    chosen = formats[0] if formats else None
    if chosen is not None:
        profiles_of(chosen, known_profiles)
    if JSON_SCHEMA in options:
        check = json_schema_check(options[JSON_SCHEMA], lambda name: Path(folder, name).read_text(encoding="utf-8-sig"))
        known_profiles = with_json_schema(known_profiles, chosen, check)
    for code in weights:
        rule_of(code, rules)
    on = tuple(rule for rule in rules if weights.get(rule.code) != OFF)
    severity = {code: severity_of(level, code) for code, level in weights.items() if level != OFF}
    schema = asked[-1:] != [OFF]
    return PlanPolicy(chosen, on, severity, known_profiles, schema, overrides, levels, catalogue, version)


def with_formats(words: Iterable[str], folder: str | Path = ".") -> tuple[list[str], list[Profile]]:
    """Read the format files among the words. Return the words with each file replaced by its format, and the formats.

    If there are several files, their words are dropped. Each document's format is then detected from its content, among
    these formats and the known ones. Raises UsageError for a file that cannot be read, or has an error.
    """
    listed = [*words]
    files = [word.strip() for word in listed if "=" not in word and word.strip().endswith(FILE_SUFFIXES)]
    if not files:
        return listed, []
    profiles = [read_plan_format(Path(folder, name)) for name in files]
    rest = [word for word in listed if word.strip() not in files]
    return [*rest, *(profile.name for profile in profiles if len(profiles) == 1)], profiles


def _override(name: str, equals: str, level: str, rules: tuple[Rule, ...]) -> tuple[str, str, str]:
    """Parse a word that applies only to some paths: "legacy/**:id-unique=warn"."""
    glob, _, code = name.rpartition(":")
    if not equals:
        raise UsageError(f"{name}: expected GLOB:CODE=LEVEL, for example legacy/*:id-unique=warn")
    known = rule_of(code.strip(), rules).code
    return glob.strip(), known, level if level == OFF else severity_of(level, code).value


def _levels(options: Mapping[str, str], catalogue: tuple[str, ...] | None) -> LevelSettings | None:
    """Return the settings from the words about levels; None if there are no such words."""
    if not options.keys() & {"level", *_LEVEL_NUMBERS}:
        return None
    numbers = []
    for name, default in _LEVEL_NUMBERS.items():
        number = options.get(name, str(default))
        if not number.isdecimal():
            raise UsageError(f"{name}={number}: expected a whole number, for example {name}={default}")
        numbers.append(int(number))
    return LevelSettings(cast("Level", options.get("level", "medium")), catalogue, *numbers)


def severity_of(level: str, code: str | None = None) -> Severity:
    """Return the severity with a name. Raises UsageError for any other; `code` is the rule, in the word of a policy."""
    try:
        return Severity(level)
    except ValueError:
        word, off = ("", "") if code is None else (f"{code}={level}: ", f", {OFF}")
        raise UsageError(f"{word}unknown severity {level!r}. Known: {', '.join(Severity)}{off}") from None
