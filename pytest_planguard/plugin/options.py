"""The options of the command line and the ini file, and the settings that they yield.

Every pytest run imports this module, so it imports only pytest and the standard library: each further import slows down
idle runs.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import pytest

if TYPE_CHECKING:
    from pathlib import Path

RECORD = ("none", "missing", "stale", "all", "verify")
RECORDING = ("missing", "stale", "all")
"""Record modes that may write."""
MATCH = ("gated", "strict", "ordered", "lenient")
STALE = ("fail", "warn")
SETTINGS: pytest.StashKey[Settings] = pytest.StashKey()


class Settings(NamedTuple):
    """The settings from the command line and the ini file. The command line overrides a marker, a marker the ini file.

    `INI` explains the fields that share a name with an ini value; the values here are the defaults.
    """

    record: str = "none"
    match: str | None = None
    """The command line's match mode, which a marker cannot change; None if it is not set."""
    default_match: str = "gated"
    """The ini file's match mode, which a marker may change."""
    variant: str | None = None
    """The command line's variant; None if it is not set."""
    default_variant: str | None = None
    samples: int | None = None
    """How often the command line asks to run each case; None if it is not set."""
    stale_fails: bool = False
    in_ci: bool = False
    save: str | None = None
    """The name to keep the run under, besides `last`."""
    fail_under: float | None = None
    """The lowest score of the whole run that passes, from 0 to 1; None if no score fails it."""
    baseline: Path | None = None
    baseline_update: bool = False
    baseline_prune: bool = False
    cassette_dir: str = "cassettes"
    block_network: bool = True
    allowed_hosts: tuple[str, ...] = ()
    processes: str = "note"
    endpoint_variables: tuple[str, ...] = ()
    tape_files: tuple[str, ...] = ()
    tape_environment: tuple[str, ...] = ()
    prove: str = "auto"
    prove_fixtures: tuple[str, ...] = ()
    prove_except: tuple[str, ...] = ()
    prove_reruns: int = 20
    prove_seconds: float = 2.0
    record_max_calls: int | None = None
    record_max_tokens: int | None = None
    max_age: float | None = None
    """The maximum age in seconds, unless a marker sets it; None for any age."""
    max_attempts: int = 3
    plan_files: tuple[str, ...] = ()
    plan_rules: tuple[str, ...] = ()
    snapshot_redact: tuple[str, ...] = ("volatile",)
    redact: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    keep_headers: tuple[str, ...] = ()
    unclear: str = "warn"
    gives_up: tuple[str, ...] = ()
    prices: str = ""
    vcr: str = "off"
    vcr_contracts: tuple[str, ...] = ()
    drift: bool = False

    @property
    def reads_vcr(self) -> bool:
        """True if tests under `@pytest.mark.vcr` are judged or compared with their cassettes."""
        return self.vcr != "off" or self.drift


class Option(NamedTuple):
    """A command-line option: its allowed values, or a placeholder for its value; "" for a flag."""

    values: tuple[str, ...] | str
    help: str


OPTIONS: Mapping[str, Option] = {
    "--planguard-record": Option(
        RECORD,
        "Record against the live endpoint: tests without a cassette (missing), those whose cassette no "
        "longer fits what is sent (stale), or all. verify: ask the live endpoint, write nothing, fail if a verdict is "
        "worse than the recorded one. Default none: replay only, no network, no key. "
        "Example: pytest tests/test_app.py --planguard-record=missing",
    ),
    "--planguard-match": Option(
        MATCH,
        "How a request finds its recorded answer. gated: the first request by its meaning, a retry unless it drops "
        "what was wrong before; strict: any drift fails; ordered: by position; lenient: nearest recorded. "
        "Example: pytest --planguard-match=strict",
    ),
    "--planguard-variant": Option(
        "NAME",
        "Use the cassettes in this separate folder, for example one for each model or prompt version. Recording "
        "into one variant never touches another. Example: pytest --planguard-variant=new-model --planguard-record=all",
    ),
    "--planguard-record-max-calls": Option(
        "N",
        "Stop recording after this many calls in a run; planguard keeps what it has recorded. "
        "Example: pytest --planguard-record=missing --planguard-record-max-calls=50",
    ),
    "--planguard-record-max-tokens": Option(
        "N",
        "Stop recording after this many tokens, requests and answers together; planguard keeps what it has recorded. "
        "Example: pytest --planguard-record=missing --planguard-record-max-tokens=200000",
    ),
    "--planguard-samples": Option(
        "N",
        "Run each marked test N times, each with a separate cassette, and judge the share of good ones by "
        "the marker's min_pass_rate. Example: pytest --planguard-record=missing --planguard-samples=5",
    ),
    "--planguard-prune": Option(
        "",
        "While recording, remove the cassettes of a case in variants that its test no longer has. Without it "
        "every variant stays. Example: pytest --planguard-record=missing --planguard-prune",
    ),
    "--planguard-prove": Option(
        "",
        "Run each test again for each finding that a retry must feed back, on the same answers without it, and fail "
        "if the next request stays the same: planguard_prove = always. By default, only for tests whose feedback "
        "planguard doesn't recognise. Example: pytest tests/test_app.py --planguard-prove",
    ),
    "--planguard-stale": Option(
        STALE,
        "Whether a stale cassette fails its test. Default: warn, or fail if CI is set. "
        "Example: pytest --planguard-stale=fail",
    ),
    "--planguard-save": Option(
        "NAME",
        "Keep this run under a name, to compare it later: planguard diff NAME last. The last run is always "
        "kept. Example: pytest --planguard-save=main",
    ),
    "--planguard-fail-under": Option(
        "SCORE",
        "Fail the run if the mean score of its cases with expected values is below this (0 to 1). "
        "Example: pytest --planguard-fail-under=0.95",
    ),
    "--planguard-drift": Option(
        "",
        "List the tests under @pytest.mark.vcr whose requests differ from the recorded ones. No outcome changes.",
    ),
    "--planguard-baseline": Option(
        "FILE",
        "The committed list of known failures. planguard reports them without failing; an entry that has expired or "
        "no longer fails does fail the run. "
        "Example: pytest --planguard-baseline=planguard-baseline.json",
    ),
    "--planguard-baseline-update": Option(
        "",
        "Add the failures of this run to the baseline. This run still fails; the next one reports them as known.",
    ),
    "--planguard-baseline-prune": Option(
        "",
        "Remove entries from the baseline whose case ran and no longer fails.",
    ),
}
"""The options of the command line."""


Reader = Callable[[str, Any], Any]
"""Takes the name of a value and the value as pytest has read it, and returns the setting."""


def _text(_name: str, value: object) -> str:
    return str(value).strip()


def _one_of(*allowed: str) -> Reader:
    def read(name: str, value: Any) -> str:
        word = str(value).strip()
        if word not in allowed:
            from ..errors import nearest, offer  # only on an error, to keep idle runs fast

            words = [one for one in allowed if one]
            raise pytest.UsageError(f"{name} = {word!r}{offer(nearest(word, words), words)}")
        return word

    return read


def _number(convert: Callable[[str], float], fits: Callable[[float], bool], expected: str, *, given: bool) -> Reader:
    """Return a reader of numbers. It returns None for "", unless `given` requires a value."""

    def read(name: str, value: Any) -> float | None:
        text = _text(name, value)
        if not (text or given):
            return None
        try:
            number = convert(text)
        except ValueError:
            number = -1
        if not fits(number):
            raise pytest.UsageError(f"{name} = {value!r}: expected {expected}")
        return number

    return read


def _whole(text: str) -> int:
    """Return the number of plain digits. `int()` alone would also accept "1_000" and "+3"."""
    if not (text.isdecimal() and text.isascii()):
        raise ValueError(text)
    return int(text)


def _count(what: str) -> Reader:
    return _number(_whole, lambda number: number >= 0, f"a whole number of {what}", given=False)


_from_1 = _number(_whole, lambda number: number >= 1, "a whole number of at least 1", given=True)
_seconds = _number(float, lambda number: 0 < number < float("inf"), "a number of seconds above 0", given=True)
_score = _number(float, lambda number: 0 <= number <= 1, "a score from 0 to 1", given=False)


def _by(module: str, function: str, *, given: bool) -> Reader:
    """Return a reader that imports its function on first use, to keep idle runs fast. `given` requires a value."""

    def read(name: str, value: Any) -> Any:
        text = _text(name, value)
        try:
            return getattr(import_module(f"pytest_planguard.{module}"), function)(text) if text or given else None
        except ValueError as error:
            raise pytest.UsageError(f"{name}: {error}") from None

    return read


_age = _by("replay.session.rerecord", "age_s", given=False)
_saved_name = _by("runs.store.store", "name_to_save", given=True)
_variant = _by("replay.files.names", "checked_variant", given=False)


class Ini(NamedTuple):
    """An ini value: its help text, and how to read it."""

    help: str
    read: Reader = _text
    type: Literal["args", "linelist", "bool"] | None = None
    """How pytest splits it; None for a single line of text."""


def _choice(help: str, *allowed: str) -> Ini:  # noqa: A002 - as pytest calls it
    return Ini(f"{help}: {', '.join(allowed)}", _one_of(*allowed))


def _list(help: str, split: Literal["args", "linelist"] = "args") -> Ini:  # noqa: A002
    return Ini(help, lambda _name, value: tuple(value), split)


INI: Mapping[str, Ini] = {
    "cassette_dir": Ini("Folder of the cassettes, beside the test file"),
    "match": _choice("Default of --planguard-match", *MATCH),
    "record": Ini(
        f"Default of --planguard-record: {', '.join(RECORD)}. In CI only the command line can switch recording on",
        _one_of(*RECORD),
    ),
    "variant": Ini("Default of --planguard-variant", _variant),
    "stale": Ini("Default of --planguard-stale: fail or warn", _one_of(*STALE, "")),
    "block_network": Ini(
        "Refuse connections of a marked test that no cassette answers, except to planguard_allowed_hosts",
        lambda _name, value: bool(value),
        "bool",
    ),
    "baseline": Ini("Default of --planguard-baseline: a path from the root folder"),
    "fail_under": Ini("Default of --planguard-fail-under: a score from 0 to 1", _score),
    "processes": _choice("What happens to a marked test that starts a child process", "allow", "note", "fail"),
    "endpoint_variables": _list("More base-URL variables that lead children to the endpoint: NAME=https://HOST/PATH"),
    "tape_files": _list("Changed files to record with a command's run: patterns such as docs/**/*.md, !*.log"),
    "tape_environment": _list("Names of environment variables to record with a command's run"),
    "prove": _choice("When to rerun a test to see if its findings are fed back", "auto", "always", "never"),
    "prove_fixtures": _list("Project fixtures that a test may use twice, so that planguard may rerun it"),
    "prove_except": _list("Fixtures whose tests planguard never reruns"),
    "prove_reruns": Ini("The most times that planguard reruns a test by itself", _from_1),
    "prove_seconds": Ini("Seconds of reruns after which planguard starts no further rerun of a test", _seconds),
    "allowed_hosts": _list("Hosts that a marked test may reach, such as its own database"),
    "record_max_calls": Ini("Default of --planguard-record-max-calls", _count("calls")),
    "record_max_tokens": Ini("Default of --planguard-record-max-tokens", _count("tokens")),
    "max_age": Ini("Age at which a cassette becomes stale: 12h, 90d, 8w", _age),
    "max_attempts": Ini("Attempts allowed in a conversation, including the first", _from_1),
    "plan_files": _list("Plan files to collect as tests: globs relative to the root folder, such as specs/**/tasks.md"),
    "plan_rules": _list(
        "How plan files are judged: a format (by default detected from the content) or the YAML file that describes "
        "one, CODE=LEVEL, CODE=off, schema, json-schema=FILE"
    ),
    "snapshot_redact": _list(
        "What snapshots leave out: names of normalisers, volatile for all of them, paths such as meta.duration_s"
    ),
    "redact": _list(
        "What else to redact from cassettes, one per line: a name of headers, parameters and members, or /PATTERN/",
        "linelist",
    ),
    "keep": _list(
        "What to keep in cassettes although it looks like a secret, one per line: a name, a place such as "
        "'request body errors*', or /PATTERN/ of the text",
        "linelist",
    ),
    "keep_headers": _list("Additional request headers to record, such as x-tenant or x-acme-*"),
    "unclear": _choice("What feedback does that may be about a finding, in unknown words", "warn", "fail"),
    "gives_up": _list(
        "Exceptions that the app raises to give up after its last rejected answer, as module.Name; "
        "needed only for those that are raised in the test's own file"
    ),
    "prices": Ini("The project's price table, to compute what a case costs"),
    "vcr": _choice("What bad answers and retries do under @pytest.mark.vcr", "off", "report", "fail"),
    "vcr_contracts": _list("Contracts under @pytest.mark.vcr, as module:NAME; by default the requests' schemas"),
}
"""The ini values, each as `planguard_NAME`."""
_DEFAULTS = {**Settings._field_defaults, "match": "gated"}


def add(parser: pytest.Parser) -> None:
    """Declare the options and ini values."""
    group = parser.getgroup("planguard", "planguard: contract tests for what language models write")
    for name, (values, help_text) in OPTIONS.items():
        how: Any = {"choices": values} if isinstance(values, tuple) else {"metavar": values}
        group.addoption(name, default=None, help=help_text, **(how if values else {"action": "store_true"}))
    for name, ini in INI.items():
        default = _DEFAULTS.get(name)
        parser.addini(f"planguard_{name}", ini.help, type=ini.type, default="" if default is None else default)


def settings_of(config: pytest.Config) -> Settings:
    """Return the settings of this run, which are read once. Raises pytest.UsageError for an invalid value."""
    settings = config.stash.get(SETTINGS, None)
    if settings is None:
        settings = config.stash[SETTINGS] = _read(config)
    return settings


def _read(config: pytest.Config) -> Settings:
    by_file = {
        name: ini.read(f"ini value planguard_{name}", config.getini(f"planguard_{name}")) for name, ini in INI.items()
    }

    def asked(name: str) -> Any:
        return config.getoption(f"--planguard-{name}")

    def first(name: str, read: Reader, default: Any = None) -> Any:
        """Return the command line's value, else the default."""
        return default if asked(name) is None else read(f"--planguard-{name}", asked(name))

    in_ci = bool(os.environ.get("CI"))
    stale = asked("stale") or by_file["stale"]
    return Settings(**{name: value for name, value in by_file.items() if name in Settings._fields})._replace(
        record=asked("record") or ("none" if in_ci else by_file["record"]),
        match=asked("match"),
        default_match=by_file["match"],
        variant=first("variant", _variant),
        default_variant=by_file["variant"],
        samples=first("samples", _from_1),
        stale_fails=stale == "fail" if stale else in_ci,
        in_ci=in_ci,
        save=first("save", _saved_name),
        fail_under=first("fail-under", _score, by_file["fail_under"]),
        baseline=_baseline(config, by_file["baseline"]),
        baseline_update=bool(asked("baseline-update")),
        baseline_prune=bool(asked("baseline-prune")),
        drift=bool(asked("drift")),
        prove=_prove(config, by_file["prove"]),
        record_max_calls=first("record-max-calls", _count("calls"), by_file["record_max_calls"]),
        record_max_tokens=first("record-max-tokens", _count("tokens"), by_file["record_max_tokens"]),
    )


def _baseline(config: pytest.Config, by_file: str) -> Path | None:
    """Return the command line's file, relative to pytest's start folder, else the ini file's, relative to the root."""
    asked = config.getoption("--planguard-baseline")
    if asked or by_file:
        return config.invocation_params.dir / asked if asked else config.rootpath / by_file
    for name in ("--planguard-baseline-update", "--planguard-baseline-prune"):
        if config.getoption(name):
            raise pytest.UsageError(f"{name} needs --planguard-baseline=FILE, or planguard_baseline in the ini file")
    return None


def _prove(config: pytest.Config, by_file: str) -> str:
    """Return the mode. Refuses snapshot updates, because reruns use answers that no model gave."""
    if not config.getoption("--planguard-prove"):
        return by_file
    if config.getoption("update_snapshots", False):
        raise pytest.UsageError("--planguard-prove runs tests on changed answers: update snapshots in a run of its own")
    return "always"
