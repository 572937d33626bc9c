"""Plan rules for a contract: `Contract(None, rules=plan_rules("spec-kit"))`."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from os import PathLike

from ...contract.document_findings import parse_findings
from ...contract.failure_kinds import FailureKind
from ...contract.finding import Finding, Severity
from ...contract.phrasing import as_json
from ...contract.schema.schema import to_json_text
from ...document.answer import Document, Format, read
from ...document.path import Path
from ...document.path_pattern import PathPattern, parse_path
from ...errors import UsageError
from ..declared.described import read_plan_format
from ..profiles.atomicguard import LEVELLED, MAX_EXPLORATIONS, R_MAX, Level, LevelSettings
from ..profiles.formats import PROFILES, profiles_of
from ..reading.profile import Profile
from ..rules.judge_plan import RULES, rule_of
from ..rules.rule import Rule
from .artifact_schema import COMPLETED, check_version
from .policy import FILE_SUFFIXES, PlanPolicy, severity_of

ContractRule = Callable[[object, "Document"], Iterable["Finding"]]


def plan_rules(
    format: str | PathLike[str] | Profile,  # noqa: A002 - the public name
    *,
    ignore: Iterable[str] = (),
    only: Iterable[str] | None = None,
    severity: Mapping[str, Severity | str] | None = None,
    extra: Iterable[Rule] = (),
    catalogue: Collection[str] | None = None,
    schema: bool = True,
    version: str = COMPLETED,
    level: Level | None = None,
    r_max: int = R_MAX,
    max_explorations: int = MAX_EXPLORATIONS,
    at: str | None = None,
) -> tuple[ContractRule, ...]:
    """Return the rules of a plan format for `Contract(rules=…)`.

    Args:
        format: the name of a format or family: "superpowers", "spec-kit", "autospec-tasks", …; the YAML file of a
            custom format: "planguard-plan.yaml"; or a `Profile`.
        ignore: codes of rules to leave out.
        only: codes of the rules to apply, instead of all rules that are on by default.
        severity: maps a rule code to a severity. Naming a rule that is off by default turns it on.
        extra: custom rules.
        catalogue: names of the guards, agents or runners that tasks may name.
        schema: True if the answer must also satisfy the format's schema, if any, regardless of `only` and `ignore`.
        version: the schema version: "completed", or "implemented" (the first design).
        level: for step plans ("atomicguard"): "minimal", "medium" or "expansive". A plan fails if the level rejects it
            or cannot verify it ("unverified"). None applies the rules alone.
        r_max: the maximum total retry budget that a level accepts; at least 1.
        max_explorations: the maximum number of execution states that "expansive" explores; at least 1.
        at: path of the field that holds the plan, in an answer or in a tool's arguments: "plan_markdown";
            "plans[*].text" for a list of plans. A finding's path begins with the field, but its line and column refer
            to the plan. None if the answer itself is the plan.

    Returns:
        A tuple of callables `(data, document) -> findings`.

    Raises:
        UsageError: a file that cannot be read or has errors; an unknown format, rule code, severity, level or schema
            version, with the nearest known name; a level for a format without levels, a field that is not a path.
    """
    formats = tuple(PROFILES)
    if isinstance(format, PathLike) or (isinstance(format, str) and format.endswith(FILE_SUFFIXES)):
        format = read_plan_format(format)  # noqa: A001 - the public name
    if isinstance(format, Profile):
        formats, format = (format, *formats), format.name  # noqa: A001 - the public name
    family = profiles_of(format, formats)
    check_version(version)
    named = None if catalogue is None else tuple(sorted(catalogue))
    levels = None if level is None else LevelSettings(level, named, r_max, max_explorations)
    if level is not None and {profile.name for profile in family} != {LEVELLED}:
        raise UsageError(f"level={level}: levels are for the format {LEVELLED}, got {format}; leave out level")
    known = (*RULES, *extra)
    chosen = {rule_of(code, known).code: severity_of(value) for code, value in (severity or {}).items()}
    left_out = {rule_of(code, known).code for code in ignore}
    asked = known if only is None else [rule_of(code, known) for code in only]
    rules = tuple(rule for rule in asked if rule.code not in left_out)
    return rules_of(PlanPolicy(format, rules, chosen, formats, schema, (), levels, named, version), at)


def rules_of(policy: PlanPolicy, at: str | None = None) -> tuple[ContractRule, ...]:
    """Return the rules of a policy that names a format. `plan_rules` explains `at`."""
    name = policy.format
    media = {one.medium for one in [one for one in policy.candidates if one.name == name] or policy.candidates}
    reads: Format = "markdown" if media == {"markdown"} else "auto"
    fields = None if at is None else _PlanFields(parse_path(at), reads, policy.findings)

    def rule(data: object, document: Document) -> Iterable[Finding]:
        return policy.findings(document) if fields is None else fields.findings(data)

    rule.__qualname__ = f"plan_rules({name}: {policy.digest}{'' if at is None else f' at={at}'})"  # for the digest
    rule.__name__ = f"plan_rules({name})"
    if fields is None:
        rule.reads = reads  # type: ignore[attr-defined] # `Contract` reads in this format
        rule.plan_format = name  # type: ignore[attr-defined] # to generate plans
    else:
        rule.at = fields.at  # type: ignore[attr-defined]  # `Contract` looks for it in its schema
    return (rule,)


@dataclass(frozen=True, slots=True)
class _PlanFields:
    """The plan in one field, or the plans in all fields that a wildcard matches. Each is a separate document."""

    at: PathPattern
    format: Format
    """ "markdown" if the plans are texts; "auto" if they are JSON or YAML, or values of the answer itself."""
    judge: Callable[[Document], Iterable[Finding]]

    def findings(self, data: object) -> Iterator[Finding]:
        """Yield the findings of each plan. Their paths begin with the field. A null is not a plan."""
        for path in self.at.missing(data):
            yield Finding("missing", path, "required, missing", FailureKind.MISSING, expected="a plan")
        for path, value in self.at.select(data):
            if isinstance(value, str):
                yield from self._of_text(value, path)
            elif isinstance(value, dict | list) and self.format != "markdown":
                # The places of these findings are looked up in the answer.
                yield from (_below(one, path) for one in self.judge(read(to_json_text(value) or "", format="json")))
            elif value is not None:
                message = f"expected a plan as text; got {as_json(value)}"
                yield Finding("type", path, message, FailureKind.TYPE, expected="a plan as text", actual=as_json(value))

    def _of_text(self, text: str, path: Path) -> Iterator[Finding]:
        document = read(text, format=self.format)
        # of a kind that speaks of the plan: the answer that holds it is valid JSON, not "truncated"
        unread = [replace(one, kind=FailureKind.RULE) for one in parse_findings(document, None)]
        judged = () if any(one.severity.bad for one in unread) else self.judge(document)
        for one in (*unread, *judged):
            # A finding about the whole plan gets the place of the field.
            yield _below(one, path) if one.span is None else replace(one, path=(*path, *one.path), inside=path)


def _below(found: Finding, path: Path) -> Finding:
    related = tuple(replace(one, path=(*path, *one.path), span=None) for one in found.related)
    return replace(found, path=(*path, *found.path), span=None, related=related)
