"""How a project wants its plan files judged, said in words: "spec-kit", "parallel-safe=retry", "id-gap=off"."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, cast

from ..contract.finding import Severity
from ..errors import UsageError
from .compat.atomicguard_levels import LEVELLED, MAX_EXPLORATIONS, R_MAX, LevelSettings, rejections
from .judging.contract_rules import with_level
from .judging.folder import check_folder
from .judging.judge_files import PlanReport, check_text, read_document
from .model.unknown_name import unknown_format, unknown_rule
from .profiles.profile import Profile
from .profiles.profile_table import PROFILES
from .rules.rule import Rule
from .rules.rule_table import RULES
from .suppression import without_suppressed

if TYPE_CHECKING:
    from ..contract.finding import Finding
    from .compat.atomicguard_levels import Level

OFF = "off"
"""The word that switches a rule off: "parallel-safe=off"."""
SCHEMA = "schema"
"""The word about the format's schema: "schema=off", "schema=implemented" (a version of it)."""
DEFAULT_VERSION = "completed"
"""The schema version of a project that names none."""

JSON_SCHEMA = "json-schema"
"""The word for a JSON Schema of the named format: "json-schema=schemas/runbook.json"."""
FILE_SUFFIXES = (".yaml", ".yml")
"""How words end that name the file of a format."""

_LEVEL_NUMBERS = {"r_max": R_MAX, "max_explorations": MAX_EXPLORATIONS}
_LEVEL_WORDS = ("level", *_LEVEL_NUMBERS, "catalogue")
"""The words about step plans: "level=medium", "r_max=20", "catalogue=syntax,tests"."""


@dataclass(frozen=True, slots=True)
class PlanPolicy:
    """As which format plan files are read, which rules they must keep, and how much each weighs."""

    format: str | None = None
    """A format, or a family of formats, by name; None tells each file by its content."""
    rules: tuple[Rule, ...] = field(default_factory=lambda: tuple(RULES))
    severity: Mapping[str, Severity] = field(default_factory=dict)
    """Rule code to severity; names a rule that is off by default, too, which switches it on."""
    profiles: tuple[Profile, ...] = field(default_factory=lambda: tuple(PROFILES))
    """The formats that are known."""
    schema: bool = True
    """Whether documents whose format has a schema must keep that too."""
    overrides: tuple[tuple[str, str, str], ...] = ()
    """Glob of paths, rule code and level ("off" among them), for files that are weighed otherwise."""
    levels: LevelSettings | None = None
    """How far step plans are verified; None asks the rules alone."""
    catalogue: tuple[str, ...] | None = None
    """Names of the guards, agents or runners that tasks may name; None asks nothing of them."""
    version: str = DEFAULT_VERSION
    """Version of the schema: "completed" or "implemented", which differ in the words for a feature's status."""
    relative: Callable[[str], str] = field(default=str, compare=False)
    """Returns a path as the globs of `overrides` know it."""

    @property
    def digest(self) -> str:
        """12 hex digits that change when the policy does, equal in every process."""
        said = [self.format or "", *(rule.code for rule in self.rules), *(profile.name for profile in self.profiles)]
        said += [f"{code}={level}" for code, level in sorted(self.severity.items())] + [self.version] * self.schema
        said += [":".join(one) for one in self.overrides]
        said += [_schemas(self.profiles)] * self.schema
        said += [repr(self.levels)] if self.levels else []
        said += [f"catalogue={','.join(self.catalogue)}"] if self.catalogue is not None else []
        return hashlib.sha256("\n".join(said).encode()).hexdigest()[:12]

    def judge(self, texts: Mapping[str, str | bytes], forced: Collection[str] = ()) -> dict[str, PlanReport]:
        """The report of every file, with what only the files of one folder together show. Never raises for any text.

        Args:
            texts: path, with forward slashes, to content.
            forced: paths of files that are plans of `format`. Where that names one format they are, even where their
                content does not look like it; where it names a family, a hint of one of its documents is enough.
        """
        named = forced if self.format is not None else ()
        reports = check_folder(
            texts,
            rules=self.rules,
            severity=self.severity,
            profiles=self.candidates,
            named=named,
            format_named=self.format is not None,
            catalogue=self.catalogue,
        )
        for path, report in reports.items():
            if report.plan is None and path in forced and self._is_one_format():
                reports[path] = self._forced(texts[path], path)
        return {path: self._finished(path, report) for path, report in reports.items()}

    def _finished(self, path: str, report: PlanReport) -> PlanReport:
        """Return the report with level and schema, without what the file or a setting for its path switches off."""
        report = self._with_level(report)
        report = self._with_attached(self._with_schema(report)) if self.schema else report
        codes = [rule.code for rule in RULES] + [rule.code for rule in self.rules]
        report = replace(report, findings=without_suppressed(report, codes))
        return replace(report, findings=tuple(self._for_path(path, report.findings))) if self.overrides else report

    def _for_path(self, path: str, findings: Iterable[Finding]) -> Iterator[Finding]:
        """Yield the findings with the weights that overrides give them for this path; the last one counts."""
        known = self.relative(path)
        weights = {code: level for glob, code, level in self.overrides if fnmatch(known, glob)}
        for finding in findings:
            level = weights.get(finding.code, finding.severity.value)
            if level != OFF:
                yield replace(finding, severity=Severity(level))

    def unknown(self) -> str:
        """What a file that no profile fits is not: "no plan of a known format", "no plan of the format spec-kit"."""
        return "no plan of a known format" if self.format is None else f"no plan of the format {self.format}"

    @property
    def medium(self) -> str | None:
        """What documents of the named format are: "markdown" or "data" (JSON, YAML); None where both can be."""
        media = {profile.medium for profile in self.candidates}
        return next(iter(media)) if len(media) == 1 else None

    @property
    def candidates(self) -> tuple[Profile, ...]:
        """The formats that a file may have."""
        if self.format is None:
            return self.profiles
        return tuple(profile for profile in self.profiles if self.format in (profile.name, profile.family))

    def _is_one_format(self) -> bool:
        return any(profile.name == self.format for profile in self.profiles)

    def _forced(self, text: str | bytes, path: str) -> PlanReport:
        return check_text(
            text,
            path=path,
            format=self.format,
            rules=self.rules,
            severity=self.severity,
            profiles=self.profiles,
            catalogue=self.catalogue,
        )

    def _with_level(self, report: PlanReport) -> PlanReport:
        """Return the report with what the level rejects in a step plan."""
        if self.levels is None or report.plan is None or report.plan.format != LEVELLED:
            return report
        return replace(report, findings=with_level(report.findings, rejections(report.plan, self.levels)))

    def _with_schema(self, report: PlanReport) -> PlanReport:
        """Return the report with the findings of the format's schema, where it has one."""
        from .artifacts.schema_findings import schema_kind, with_schema

        if report.plan is None or schema_kind(report.plan.format) is None:
            return report
        document = read_document(report.text, "plan.yaml")
        return replace(report, findings=with_schema(report.plan, document, report.findings, version=self.version))

    def _with_attached(self, report: PlanReport) -> PlanReport:
        """Return the report with the findings of the JSON Schema that is attached to the format."""
        if report.plan is None or all(profile.schema is None for profile in self.profiles):
            return report
        from .declared.attached import with_attached

        document = read_document(report.text, report.path)
        return replace(report, findings=with_attached(self.profiles, report.plan.format, document, report.findings))


def _schemas(profiles: Iterable[Profile]) -> str:
    """Return a text that changes when a JSON Schema that is attached to a format does."""
    if all(profile.schema is None for profile in profiles):
        return ""
    from .declared.attached import digest_of

    return digest_of(profiles, {profile.name for profile in profiles})


def policy_of(
    words: Iterable[str] = (),
    *,
    folder: str | Path = ".",
    extra: Iterable[Rule] = (),
    profiles: Iterable[Profile] = (),
    schema: bool = True,
    version: str = DEFAULT_VERSION,
) -> PlanPolicy:
    """Return the policy that some words say.

    Args:
        words: each the name of a format or family (at most one), `CODE=LEVEL` with a level info, warn, retry or fail,
            `CODE=off`, `schema=off`, or
            `schema=VERSION`. `schema` alone is the default. For step plans `level=LEVEL`, `r_max=N`,
            `max_explorations=N`; for formats that name guards or agents `catalogue=NAME,NAME`. For some files alone
            `GLOB:CODE=LEVEL`. A name that ends in .yaml is the file of a format (`declared`), `json-schema=FILE` a
            JSON Schema for the named format.
        folder: what the paths of files are relative to.
        extra: rules of your own, beside the known ones.
        profiles: formats of your own, beside the known ones.
        schema: see `PlanPolicy.schema`; a word about it has the last word.
        version: see `PlanPolicy.version`.

    Raises:
        UsageError: an unknown word, with the nearest known one; two formats.
    """
    words, described = with_formats(words, folder)
    rules, known_profiles = (*RULES, *extra), (*PROFILES, *described, *profiles)
    settings = [word.strip().partition("=") for word in words if word.strip()]
    schema, version = _schema([level.strip() for name, _, level in settings if name.strip() == SCHEMA], schema, version)
    overrides = tuple(_override(*setting, rules) for setting in settings if ":" in setting[0])
    settings = [setting for setting in settings if ":" not in setting[0]]
    options = {name.strip(): value.strip() for name, _, value in settings if name.strip() in _LEVEL_WORDS}
    catalogue = tuple(options["catalogue"].split(",")) if options.get("catalogue") else None
    levels = _levels(options, catalogue)
    attached = [value.strip() for name, _, value in settings if name.strip() == JSON_SCHEMA]
    settings = [setting for setting in settings if setting[0].strip() not in (SCHEMA, JSON_SCHEMA, *_LEVEL_WORDS)]
    formats = [name for name, equals, _ in settings if not equals]
    if len(formats) > 1:
        raise UsageError(f"plans are read as one format, and {len(formats)} were named: {', '.join(formats)}")
    _check_format(formats, known_profiles)
    known_profiles = _with_json_schema(known_profiles, formats, attached, folder) if attached else known_profiles
    weights = {_require_known(code, rules): level.strip() for code, equals, level in settings if equals}
    severity = {code: _severity(code, level) for code, level in weights.items() if level != OFF}
    asked = tuple(rule for rule in rules if weights.get(rule.code) != OFF)
    chosen = formats[0] if formats else None
    return PlanPolicy(chosen, asked, severity, known_profiles, schema, overrides, levels, catalogue, version)


def _with_json_schema(
    profiles: tuple[Profile, ...], formats: list[str], paths: list[str], folder: str | Path
) -> tuple[Profile, ...]:
    """Return the profiles, the named one with the JSON Schema of the last of the paths attached."""
    from .declared.attached import json_schema_check, with_json_schema

    check = json_schema_check(paths[-1], lambda name: Path(folder, name).read_text(encoding="utf-8-sig"))
    return with_json_schema(profiles, formats[0] if formats else None, check)


def with_formats(words: Iterable[str], folder: str | Path = ".") -> tuple[list[str], list[Profile]]:
    """Return the words with the names of formats for their files, and the formats that the files describe.

    Several files name no format: each document is told by its content, among theirs and the known ones.

    Raises:
        UsageError: a file cannot be read, or something in it is wrong.
    """
    listed = [*words]
    files = [word.strip() for word in listed if "=" not in word and word.strip().endswith(FILE_SUFFIXES)]
    if not files:
        return listed, []
    from .declared.format_file import read_plan_format

    profiles = [read_plan_format(Path(folder, name)) for name in files]
    rest = [word for word in listed if word.strip() not in files]
    return [*rest, *(profile.name for profile in profiles if len(profiles) == 1)], profiles


def _override(name: str, equals: str, level: str, rules: tuple[Rule, ...]) -> tuple[str, str, str]:
    """Return a word for some paths alone: "legacy/**:id-unique=warn"."""
    glob, _, code = name.rpartition(":")
    if not equals:
        raise UsageError(f"{name}: expected GLOB:CODE=LEVEL, for example legacy/*:id-unique=warn")
    weight = level.strip()
    return glob.strip(), _require_known(code, rules), weight if weight == OFF else _severity(code, weight).value


def _levels(options: Mapping[str, str], catalogue: tuple[str, ...] | None) -> LevelSettings | None:
    """Return what the words about levels say; None where there are none."""
    if not options.keys() & {"level", "r_max", "max_explorations"}:
        return None
    numbers = [_number(name, options.get(name), default) for name, default in _LEVEL_NUMBERS.items()]
    return LevelSettings(cast("Level", options.get("level", "medium")), catalogue, *numbers)


def _number(name: str, word: str | None, default: int) -> int:
    if word is None:
        return default
    if not word.isdecimal():
        raise UsageError(f"{name}={word}: expected a whole number, for example {name}={default}")
    return int(word)


def _schema(levels: list[str], schema: bool, version: str) -> tuple[bool, str]:
    """Return whether the schema is asked, and its version, after the words "schema", "schema=off", "schema=VERSION"."""
    from .artifacts.validate import check_version

    for level in levels:
        schema = level != OFF
        version = level if level not in ("", OFF) else version
    return schema, check_version(version)


def _check_format(formats: list[str], profiles: tuple[Profile, ...]) -> None:
    known = sorted({profile.name for profile in profiles} | {profile.family for profile in profiles})
    for name in formats:
        if name not in known:
            raise unknown_format(name, known)


def _require_known(code: str, rules: tuple[Rule, ...]) -> str:
    known = {rule.code: rule for rule in rules}
    if code.strip() in known:
        return code.strip()
    raise unknown_rule(code, known)


def _severity(code: str, level: str) -> Severity:
    try:
        return Severity(level)
    except ValueError:
        listed = ", ".join(Severity)
        raise UsageError(f"{code}={level}: unknown severity {level!r}. Known: {listed}, {OFF}") from None
