"""The options about plan files, and the same settings in the ini file that pytest would read."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...errors import UsageError
from ...runs.store.project_files import NAMES, settings_in, words
from ..commands import Options

LEVELLED = "atomicguard"
"""The format with verification levels."""

if TYPE_CHECKING:
    from ...contract import Contract
    from ...document.answer import Extract, Format
    from ...plans.judging.policy import PlanPolicy
    from ...plans.reading.profile import Profile
    from ...plans.rules.rule import Rule
    from .plan_files import PlanFiles


@dataclass(frozen=True, slots=True)
class PlanArguments:
    """The options about plans, as the user typed them."""

    rules: tuple[str, ...] = ()
    """Formats by name, and `module:NAME` for the user's own formats and rules."""
    schema: bool | None = None
    """None is the default: the schema is checked, but documents beside a contract don't become plans."""
    schema_version: str | None = None
    severity: tuple[str, ...] = ()
    """CODE=LEVEL."""
    ignore: tuple[str, ...] = ()
    level: str | None = None
    """The level up to which step plans are verified; None for the default."""
    r_max: int | None = None
    max_explorations: int | None = None
    catalogue: str | None = None
    """Names of guards, agents or runners, separated by commas."""
    json_schema: str | None = None
    """Path of a JSON Schema for the named format."""
    settings: PlanSettings | None = None
    """The settings in the ini file. Typed options override them."""

    @property
    def given(self) -> bool:
        """True if any option was typed. Then documents are plans, even beside a contract."""
        said = (self.rules, self.schema_version, self.severity, self.ignore, self._about_steps(), self.json_schema)
        return any(said) or self.schema is not None

    def _about_steps(self) -> list[str]:
        """Return the options about step plans as words of a policy."""
        values = {name: getattr(self, name) for name in ("level", "r_max", "max_explorations", "catalogue")}
        return [f"{name}={value}" for name, value in values.items() if value is not None]

    def policy(self) -> PlanPolicy:
        """Return the policy for plan files.

        Raises:
            UsageError: a format, rule or severity is unknown, or something can't be loaded.
        """
        from ...plans.judging.policy import OFF, policy_of, with_formats

        own = [thing for spec in self.rules if ":" in spec for thing in _loaded(spec)]
        formats, rules = _told_apart(own)
        named, described = with_formats(name for name in self.rules if ":" not in name)
        named = named or [profile.name for profile in formats]
        configured = self._configured(alone=not named and not described)
        words = [*configured, *named, *map(_setting, self.severity), *(f"{code}={OFF}" for code in self.ignore)]
        words += self._about_steps()
        words += [f"json-schema={Path(self.json_schema).absolute()}"] if self.json_schema else []
        words += [] if self.schema is None else ["schema"] if self.schema else [f"schema={OFF}"]
        words += [f"schema={self.schema_version}"] if self.schema_version else []
        folder = self.settings.root if self.settings else "."
        policy = policy_of(words, extra=rules, profiles=[*described, *formats], folder=folder)
        return replace(policy, relative=self.settings.relative) if self.settings else policy

    def _configured(self, *, alone: bool) -> list[str]:
        """Return the words of the ini file. Those about its format count only if no format was typed."""
        words = self.settings.words if self.settings else ()
        return [word for word in words if alone or ("=" in word and not word.startswith("json-schema="))]


def with_plans(
    words: PlanArguments, contracts: tuple[Contract, ...], extract: Extract | None
) -> tuple[tuple[Contract, ...], PlanFiles | None]:
    """Return the contracts for answers, and the judge of plan files; None in its place if documents are answers."""
    from .plan_files import PlanFiles

    if contracts and not words.given:
        return contracts, None
    if not words.given and not (words.settings and words.settings.words):
        return contracts, PlanFiles(words.policy, asked_for=False)  # made later, because it loads every format
    policy = words.policy()
    if not contracts and words.rules and policy.format is not None:
        contracts = (_answers_contract(policy, extract),)
    return contracts, PlanFiles(lambda: policy, words.given, words.schema is True)


def _answers_contract(policy: PlanPolicy, extract: Extract | None) -> Contract:
    """Return the contract for recorded answers if `--rules` names a format and no contract is named."""
    from ...contract import Contract
    from ...plans.judging.contract_rules import rules_of

    written: Format = "markdown" if policy.medium == "markdown" else "auto"
    return Contract(None, name=policy.format, rules=rules_of(policy), format=written, extract=extract or "embedded")


def _loaded(spec: str) -> Sequence[object]:
    from ...runs.load.contracts import load_thing

    thing = load_thing(spec, "--rules")
    return list(thing) if isinstance(thing, (list, tuple, set)) else [thing]


def _told_apart(things: Sequence[object]) -> tuple[list[Profile], list[Rule]]:
    from ...plans.reading.profile import Profile
    from ...plans.rules.rule import Rule

    strange = [thing for thing in things if not isinstance(thing, (Profile, Rule))]
    if strange:
        raise UsageError(
            f"--rules module:NAME takes a plan format (Profile), a rule (Rule) or a list of them; got a "
            f"{type(strange[0]).__name__}."
        )
    return [t for t in things if isinstance(t, Profile)], [t for t in things if isinstance(t, Rule)]


def _setting(word: str) -> str:
    if "=" not in word:
        raise UsageError(f"--severity {word}: expected CODE=LEVEL, for example {word or 'dep-cycle'}=warn")
    return word


RULES = click.option(
    "--rules",
    multiple=True,
    metavar="FORMAT|FILE|WHERE",
    help="Documents are plans of this format (spec-kit, superpowers-sidecar, …); without it the format is "
    "detected from the content. Or a YAML file that describes a format of your own (planguard-plan.yaml). Or "
    "module:NAME or file.py:NAME: a format or rules of your own. "
    "May be given more than once.",
)
plan_options = Options(
    RULES,
    click.option(
        "--schema/--no-schema",
        default=None,
        help="Check plans against their format's schema, where it has one (the default), or against the rules alone.",
    ),
    click.option(
        "--schema-version",
        type=click.Choice(["completed", "implemented"]),
        help="Which words a feature's status may have in autospec's artifacts; completed without it.",
    ),
    click.option(
        "--severity",
        multiple=True,
        metavar="CODE=LEVEL",
        help="Set the severity of a plan rule: info, warn, retry, fail or off. May be given more than once.",
    ),
    click.option("--ignore", multiple=True, metavar="CODE", help="Turn a plan rule off. May be given more than once."),
    click.option(
        "--level",
        type=click.Choice(["minimal", "medium", "expansive"]),
        metavar="LEVEL",
        help="Verify step plans (atomicguard) up to a level: minimal, medium or expansive. What could not be verified "
        "is rejected as unverified.",
    ),
    click.option("--r-max", type=click.IntRange(1), metavar="N", help="With --level: largest total retry budget; 100."),
    click.option(
        "--max-explorations",
        type=click.IntRange(1),
        metavar="N",
        help="With --level expansive: states of execution to look at; 100,000.",
    ),
    click.option(
        "--catalogue", metavar="NAME,…", help="Names of the guards, agents or runners that tasks of a plan may name."
    ),
    click.option(
        "--json-schema",
        metavar="FILE",
        help="A JSON Schema that plans of the format named by --rules must keep too; for JSON and YAML.",
    ),
)


NAME = "planguard_plan_rules"


@dataclass(frozen=True, slots=True)
class PlanSettings:
    """A project's settings for judging plan files."""

    root: Path
    """The folder of the file. Paths in it are relative to this folder."""
    words: tuple[str, ...] = ()

    def relative(self, path: str) -> str:
        """Return a path in the form that globs in the settings match: from the root folder, with forward slashes."""
        return Path(os.path.relpath(path, self.root)).as_posix()


def plan_settings(paths: Iterable[Path]) -> PlanSettings:
    """Return the settings for some files and folders; no words if no file configures pytest.

    As in pytest, the first folder with such a file counts, from the one that holds all the paths upwards.

    Raises:
        UsageError: the file cannot be read.
    """
    start = _common(paths)
    for folder in (start, *start.parents):
        for name in NAMES:
            found = _words(folder / name) if (folder / name).is_file() else None
            if found is not None:
                return PlanSettings(folder, found)
    return PlanSettings(start)


def _common(paths: Iterable[Path]) -> Path:
    """Return the folder that holds all local paths. Without any, or for "-" only, that is the working folder."""
    local = [path.absolute() for path in paths if isinstance(path, Path) and str(path) != "-"]
    folders = [path if path.is_dir() else path.parent for path in local]
    return Path(os.path.commonpath(folders)) if folders else Path.cwd()


def _words(path: Path) -> tuple[str, ...] | None:
    """Return the words of a file; None if it has no section for pytest."""
    try:
        settings = settings_in(path.name, path.read_text(encoding="utf-8-sig"))
        return None if settings is None else tuple(words(settings.get(NAME, "")))
    except (OSError, ValueError) as error:
        reason = " ".join(str(error).split())[:200]
        raise UsageError(f"{path}: the settings of pytest cannot be read: got {reason}; correct the file") from None
