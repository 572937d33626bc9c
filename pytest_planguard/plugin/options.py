"""Options of the command line and the ini file, and the settings that they come to.

Imported by every pytest run: standard library and pytest only, and one module, since each one more costs idle runs.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from .. import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

RECORD = ("none", "missing", "stale", "all", "verify")
RECORDING = ("missing", "stale", "all")
"""The record modes that may write."""
MATCH = ("gated", "strict", "ordered", "lenient")
STALE = ("fail", "warn")
UNCLEAR = ("warn", "fail")
PROCESSES = ("allow", "note", "fail")
PROVE = ("auto", "always", "never")
MARKER_HELP = (
    "planguard(*contracts, max_attempts=3, ...): replay the test's recorded conversation, judge it against the "
    "contracts, and fail where an answer breaks them or a retry does not feed back what was wrong. "
    "Arguments: max_attempts, mode, match, cassette, key, inputs, must_feed_back, coverage, escalates, variant, "
    "models, max_age, samples, min_pass_rate, checks, redact, endpoint, "
    "commands, tape_files, tape_environment, prove."
)
SETTINGS: pytest.StashKey[Settings] = pytest.StashKey()


class Settings(NamedTuple):
    """What command line and ini file say together. The command line wins; a marker stands between the two."""

    record: str = "none"
    match: str | None = None
    """The command line's match mode, which a marker cannot change; None where it was not given."""
    default_match: str = "gated"
    """The ini file's match mode, which a marker may change."""
    variant: str | None = None
    """The command line's variant; None where it was not given."""
    default_variant: str | None = None
    cassette_dir: str = "cassettes"
    """Relative to the test file, or absolute."""
    stale_fails: bool = False
    block_network: bool = True
    allowed_hosts: tuple[str, ...] = ()
    max_attempts: int = 3
    in_ci: bool = False
    save: str | None = None
    """The name under which the run is kept, beside being the last one."""
    baseline: Path | None = None
    """The list of known failures."""
    baseline_update: bool = False
    baseline_prune: bool = False
    plan_files: tuple[str, ...] = ()
    """Globs of the plan files that are tests, relative to the root folder, with forward slashes."""
    plan_rules: tuple[str, ...] = ()
    """How they are judged, in the words of `plans.judging.policy`."""
    snapshot_redact: tuple[str, ...] = ("volatile",)
    """What snapshots do not keep: names of normalisers, "volatile" for all of them, paths."""
    prove: str = "auto"
    """When a test is run again to see whether its findings are fed back: one of PROVE."""
    prove_fixtures: tuple[str, ...] = ()
    """Fixtures of the project that a test may use twice."""
    prove_except: tuple[str, ...] = ()
    """Fixtures whose tests are not run again."""
    prove_reruns: int = 20
    """How often a test is run again by itself, at most."""
    prove_seconds: float = 2.0
    """Seconds of running again after which no further run of a test begins."""
    redact: tuple[str, ...] = ()
    """What else is taken out of cassettes: names, and patterns between slashes."""
    unclear: str = "warn"
    """What a finding comes to that nobody can tell to be fed back by reading: one of UNCLEAR."""
    prices: str = ""
    """The project's own table of prices, relative to the root folder; "" for none."""
    gives_up: tuple[str, ...] = ()
    """Classes of exceptions by which the app gives up, wherever they are raised: "instructor.core.RetryException"."""
    processes: str = "note"
    """What becomes of a test that starts a child process: one of PROCESSES."""
    tape_files: tuple[str, ...] = ()
    """Patterns of the files that runs of commands are recorded with; () for all."""
    tape_environment: tuple[str, ...] = ()
    """Names of the variables that runs of commands are recorded with."""
    endpoint_variables: tuple[str, ...] = ()
    """Further base-URL variables for children, each NAME=URL or NAME."""

    @property
    def header(self) -> str:
        """The line of pytest's report header."""
        match = self.match or self.default_match
        variant = self.variant or self.default_variant
        recording = "record none (replay only)" if self.record == "none" else f"record {self.record}"
        return f"planguard: {__version__}, match {match}, {recording}" + (f", variant {variant}" if variant else "")


OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "--planguard-record": {
        "choices": RECORD,
        "help": "Record against the live endpoint: tests without a cassette (missing), those whose cassette no "
        "longer fits what is sent (stale), or all. verify: ask the live endpoint, write nothing, fail where a verdict "
        "is worse than the recorded one. Default none: replay only, no network, no key. "
        "Example: pytest tests/test_app.py --planguard-record=missing",
    },
    "--planguard-match": {
        "choices": MATCH,
        "help": "How a request finds its recorded answer. gated: attempt 1 by its meaning, a retry unless it drops "
        "what was wrong before; strict: any drift fails; ordered: by position; lenient: nearest recorded. "
        "Example: pytest --planguard-match=strict",
    },
    "--planguard-variant": {
        "metavar": "NAME",
        "help": "Use the cassettes in this folder of their own, for example one a model or prompt version. Recording "
        "into one variant never touches another. Example: pytest --planguard-variant=new-model --planguard-record=all",
    },
    "--planguard-record-max-calls": {
        "metavar": "N",
        "help": "Stop recording after so many calls of this run; what was recorded is kept. "
        "Example: pytest --planguard-record=missing --planguard-record-max-calls=50",
    },
    "--planguard-record-max-tokens": {
        "metavar": "N",
        "help": "Stop recording after so many tokens, requests and answers together; what was recorded is kept. "
        "Example: pytest --planguard-record=missing --planguard-record-max-tokens=200000",
    },
    "--planguard-samples": {
        "metavar": "N",
        "help": "Run each marked test N times, each with a cassette of its own, and judge the share of good ones by "
        "the marker's min_pass_rate. Example: pytest --planguard-record=missing --planguard-samples=5",
    },
    "--planguard-prune": {
        "action": "store_true",
        "help": "While recording, remove the cassettes of a case in variants that its test no longer has. Without it "
        "every variant stays. Example: pytest --planguard-record=missing --planguard-prune",
    },
    "--planguard-prove": {
        "action": "store_true",
        "help": "Run each test again for each finding that a retry must feed back, on the same answers without it, "
        "and fail where the next request stays the same: planguard_prove = always. By default only tests whose "
        "feedback is not plain by itself. Example: pytest tests/test_app.py --planguard-prove",
    },
    "--planguard-stale": {
        "choices": STALE,
        "help": "Whether a stale cassette fails its test. Default: warn, and fail where CI is set. "
        "Example: pytest --planguard-stale=fail",
    },
    "--planguard-save": {
        "metavar": "NAME",
        "help": "Keep this run under a name, to compare it later: planguard diff NAME last. The last run is always "
        "kept. Example: pytest --planguard-save=main",
    },
    "--planguard-baseline": {
        "metavar": "FILE",
        "help": "The committed list of known failures: what it lists is reported and fails nothing; an entry that has "
        "expired, or whose failure is gone, fails the run. "
        "Example: pytest --planguard-baseline=planguard-baseline.json",
    },
    "--planguard-baseline-update": {
        "action": "store_true",
        "help": "Add the failures of this run to the baseline. The run fails all the same: the next one knows them.",
    },
    "--planguard-baseline-prune": {
        "action": "store_true",
        "help": "Take out of the baseline what no longer fails, although its case ran.",
    },
}
"""The command line's options."""


def add(parser: pytest.Parser) -> None:
    """Declare everything that a user may set."""
    group = parser.getgroup("planguard", "planguard: contract tests for what language models write")
    for name, how in OPTIONS.items():
        group.addoption(name, default=None, **how)
    _add_ini(parser)


def _add_ini(parser: pytest.Parser) -> None:
    parser.addini("planguard_cassette_dir", "Folder of the cassettes, beside the test file", default="cassettes")
    parser.addini("planguard_match", f"Default of --planguard-match: {', '.join(MATCH)}", default="gated")
    parser.addini(
        "planguard_record",
        f"Default of --planguard-record: {', '.join(RECORD)}. In CI only the command line can switch recording on",
        default="none",
    )
    parser.addini("planguard_variant", "Default of --planguard-variant", default="")
    parser.addini("planguard_stale", "Default of --planguard-stale: fail or warn", default="")
    parser.addini(
        "planguard_block_network",
        "Refuse connections of a marked test that no cassette answers, except to planguard_allowed_hosts",
        type="bool",
        default=True,
    )
    parser.addini("planguard_baseline", "Default of --planguard-baseline: a path from the root folder", default="")
    parser.addini(
        "planguard_processes",
        f"What becomes of a marked test that starts a child process: {', '.join(PROCESSES)}",
        default="note",
    )
    parser.addini(
        "planguard_endpoint_variables",
        "Further base-URL variables of child processes that lead to the endpoint: NAME=https://UPSTREAM/PATH",
        type="args",
    )
    parser.addini(
        "planguard_tape_files",
        "Files that runs of commands are recorded with, where they changed: patterns such as docs/**/*.md, !*.log",
        type="args",
    )
    parser.addini(
        "planguard_tape_environment", "Names of variables that runs of commands are recorded with", type="args"
    )
    parser.addini(
        "planguard_prove",
        "When a test is run again to see whether its findings are fed back. auto: where its words are not plain; "
        "always, never",
        default="auto",
    )
    parser.addini(
        "planguard_prove_fixtures",
        "Fixtures of the project that a test may use twice, so that it may be run again by itself",
        type="args",
    )
    parser.addini("planguard_prove_except", "Fixtures whose tests are not run again, whatever their scope", type="args")
    parser.addini("planguard_prove_reruns", "How often a test is run again by itself, at most", default="20")
    parser.addini(
        "planguard_prove_seconds", "Seconds of running again after which no further run of a test begins", default="2"
    )
    parser.addini("planguard_allowed_hosts", "Hosts that a marked test may reach: its own database", type="args")
    parser.addini("planguard_record_max_calls", "Default of --planguard-record-max-calls", default="")
    parser.addini("planguard_record_max_tokens", "Default of --planguard-record-max-tokens", default="")
    parser.addini("planguard_max_age", "Age from which a cassette is stale: 12h, 90d, 8w", default="")
    parser.addini("planguard_max_attempts", "Attempts that a conversation may take, the first included", default="3")
    parser.addini(
        "planguard_plan_files",
        "Plan files that are tests, each one of its own: globs relative to the root folder, such as specs/**/tasks.md",
        type="args",
    )
    parser.addini(
        "planguard_plan_rules",
        "How plan files are judged: a format (told by the content without it) or the YAML file that describes one, "
        "CODE=LEVEL, CODE=off, schema, json-schema=FILE",
        type="args",
    )
    parser.addini(
        "planguard_snapshot_redact",
        "What snapshots do not keep: names of normalisers, volatile for all of them, paths such as meta.duration_s",
        type="args",
        default=["volatile"],
    )
    parser.addini(
        "planguard_redact",
        "What else is taken out of cassettes, one a line: a name of headers, parameters and members, or /PATTERN/",
        type="linelist",
    )
    parser.addini(
        "planguard_unclear",
        f"What becomes of feedback that may be about a finding, in words that nobody can read: {', '.join(UNCLEAR)}",
        default="warn",
    )
    parser.addini(
        "planguard_gives_up",
        "Classes of exceptions by which the app gives up after its last rejected answer, as module.Name; "
        "needed only for those that are raised in the test's own file",
        type="args",
    )
    parser.addini("planguard_prices", "The project's own table of prices: rows then say what a case costs", default="")


def settings_of(config: pytest.Config) -> Settings:
    """The settings of this run, read once. Raises pytest.UsageError for a value that cannot be."""
    settings = config.stash.get(SETTINGS, None)
    if settings is None:
        settings = config.stash[SETTINGS] = _read(config)
    return settings


def _read(config: pytest.Config) -> Settings:
    in_ci = bool(os.environ.get("CI"))
    asked = config.getoption("--planguard-record")
    by_file = _choice(config, "planguard_record", RECORD)
    stale = config.getoption("--planguard-stale") or _choice(config, "planguard_stale", (*STALE, ""))
    return Settings(
        record=asked or ("none" if in_ci else by_file),
        match=config.getoption("--planguard-match"),
        default_match=_choice(config, "planguard_match", MATCH),
        variant=_variant(config.getoption("--planguard-variant"), "--planguard-variant"),
        default_variant=_variant(config.getini("planguard_variant"), "planguard_variant"),
        cassette_dir=str(config.getini("planguard_cassette_dir")),
        stale_fails=stale == "fail" if stale else in_ci,
        block_network=bool(config.getini("planguard_block_network")),
        allowed_hosts=tuple(config.getini("planguard_allowed_hosts")),
        max_attempts=_attempts(config, "planguard_max_attempts"),
        in_ci=in_ci,
        save=_saved_name(config.getoption("--planguard-save")),
        baseline=_baseline(config),
        baseline_update=bool(config.getoption("--planguard-baseline-update")),
        baseline_prune=bool(config.getoption("--planguard-baseline-prune")),
        plan_files=tuple(config.getini("planguard_plan_files")),
        plan_rules=tuple(config.getini("planguard_plan_rules")),
        snapshot_redact=tuple(config.getini("planguard_snapshot_redact")),
        prove=_prove(config),
        prove_fixtures=tuple(config.getini("planguard_prove_fixtures")),
        prove_except=tuple(config.getini("planguard_prove_except")),
        prove_reruns=_attempts(config, "planguard_prove_reruns"),
        prove_seconds=_seconds(config, "planguard_prove_seconds"),
        redact=tuple(config.getini("planguard_redact")),
        unclear=_choice(config, "planguard_unclear", UNCLEAR),
        prices=str(config.getini("planguard_prices")).strip(),
        gives_up=tuple(config.getini("planguard_gives_up")),
        processes=_choice(config, "planguard_processes", PROCESSES),
        tape_files=tuple(config.getini("planguard_tape_files")),
        tape_environment=tuple(config.getini("planguard_tape_environment")),
        endpoint_variables=tuple(config.getini("planguard_endpoint_variables")),
    )


def _choice(config: pytest.Config, name: str, allowed: Sequence[str]) -> str:
    value = str(config.getini(name)).strip()
    if value not in allowed:
        raise pytest.UsageError(f"ini value {name} = {value!r}{unknown(value, [a for a in allowed if a])}")
    return value


def _attempts(config: pytest.Config, name: str) -> int:
    value = str(config.getini(name))
    if not value.strip().isdecimal() or int(value) < 1:
        raise pytest.UsageError(f"ini value {name} = {value!r}: a whole number from 1 on is needed")
    return int(value)


def _seconds(config: pytest.Config, name: str) -> float:
    value = str(config.getini(name))
    try:
        seconds = float(value)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise pytest.UsageError(f"ini value {name} = {value!r}: a number of seconds above 0 is needed")
    return seconds


def _variant(value: str | None, source: str) -> str | None:
    """A variant becomes a folder's name: nothing that leaves the folder, nothing that a file system refuses."""
    if not value:
        return None
    if not all(c.isalnum() or c in "-_." for c in value) or value.startswith(".") or len(value) > 80:
        raise pytest.UsageError(
            f"{source} = {value!r}: a variant is the name of a folder: letters, digits, '-', '_' and '.', "
            "not first a dot, at most 80 characters"
        )
    return value


def _baseline(config: pytest.Config) -> Path | None:
    """The command line's file, from where pytest was started, else the ini file's, from the root folder."""
    asked, by_file = config.getoption("--planguard-baseline"), str(config.getini("planguard_baseline")).strip()
    if asked or by_file:
        return config.invocation_params.dir / asked if asked else config.rootpath / by_file
    for name in ("--planguard-baseline-update", "--planguard-baseline-prune"):
        if config.getoption(name):
            raise pytest.UsageError(f"{name} needs --planguard-baseline=FILE, or planguard_baseline in the ini file")
    return None


def _prove(config: pytest.Config) -> str:
    """Snapshots may not be updated meanwhile: tests run on answers that no model gave."""
    if config.getoption("--planguard-prove") and config.getoption("update_snapshots", False):
        raise pytest.UsageError("--planguard-prove runs tests on changed answers: update snapshots in a run of its own")
    return "always" if config.getoption("--planguard-prove") else _choice(config, "planguard_prove", PROVE)


def _saved_name(value: str | None) -> str | None:
    """A name under which a run can be kept."""
    if value is None:
        return None
    from ..errors import PlanguardError
    from ..runs.store.store import name_to_save  # only where a run is to be kept: an idle run does not pay for it

    try:
        return name_to_save(value)
    except PlanguardError as error:
        raise pytest.UsageError(f"--planguard-save: {error}") from None


def unknown(value: str, allowed: Sequence[str]) -> str:
    """How a message goes on about a word that is not one of the allowed: the nearest one and all of them."""
    from ..errors import nearest, offer  # only where something is wrong: an idle run does not pay for it

    return offer(nearest(value, allowed), allowed)
