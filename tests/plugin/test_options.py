"""What the command line and the ini file come to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from _pytest.config import _prepareconfig

from pytest_planguard.plugin.options import Settings, settings_of
from pytest_planguard.plugin.recording.unused_cassettes import is_started_whole

Config = Callable[..., Settings]


@pytest.fixture
def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Config:
    """Read the settings of a run with these arguments, ini values and CI variable, started in the folder `start`."""
    (tmp_path / "start").mkdir()
    monkeypatch.chdir(tmp_path / "start")
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    monkeypatch.delenv("PYTEST_PLUGINS", raising=False)

    def settings(*arguments: str, ini: str = "", ci: str = "") -> Settings:
        monkeypatch.setenv("CI", ci)
        lines = "".join(f"planguard_{line}\n" for line in ini.strip().splitlines())
        (tmp_path / "pytest.ini").write_text(f"[pytest]\n{lines}")
        with configured("-p", "planguard", *arguments) as config:
            return settings_of(config)

    return settings


@contextmanager
def configured(*arguments: str) -> Iterator[pytest.Config]:
    """Parse a command line as pytest does."""
    config = _prepareconfig([*arguments, "--rootdir=..", "-c", "../pytest.ini"])
    try:
        yield config
    finally:
        config._ensure_unconfigure()


def test_without_any_the_defaults_hold(read: Config) -> None:
    """In CI a stale cassette fails, and nothing else changes."""
    assert read() == Settings()
    assert read(ci="1") == Settings(in_ci=True, stale_fails=True)


INI = """
cassette_dir = recorded
match = ordered
record = missing
variant = small
stale = warn
block_network = false
baseline = known.json
fail_under = 0.5
processes = fail
endpoint_variables = A=https://a/v1 B=https://b/v1
tape_files = docs/*.md !*.log
tape_environment = HOME "A B"
prove = never
prove_fixtures = db store
prove_except = page
prove_reruns = 3
prove_seconds = 1e-1
allowed_hosts = a.example.com localhost:5432
record_max_calls = 7
record_max_tokens = 0
max_age = 90d
max_attempts = 5
plan_files = specs/*.md
plan_rules = speckit cycle=off
snapshot_redact = meta.id
redact = token
keep = a name with blanks
keep_headers = x-tenant
unclear = fail
gives_up = app.Gone
prices = prices.toml
vcr = report
vcr_contracts = app:TICKET
"""
FROM_INI = Settings(
    cassette_dir="recorded",
    default_match="ordered",
    record="missing",
    default_variant="small",
    stale_fails=False,
    block_network=False,
    fail_under=0.5,
    processes="fail",
    endpoint_variables=("A=https://a/v1", "B=https://b/v1"),
    tape_files=("docs/*.md", "!*.log"),
    tape_environment=("HOME", "A B"),
    prove="never",
    prove_fixtures=("db", "store"),
    prove_except=("page",),
    prove_reruns=3,
    prove_seconds=0.1,
    allowed_hosts=("a.example.com", "localhost:5432"),
    record_max_calls=7,
    record_max_tokens=0,
    max_age=7_776_000,
    max_attempts=5,
    plan_files=("specs/*.md",),
    plan_rules=("speckit", "cycle=off"),
    snapshot_redact=("meta.id",),
    redact=("token",),
    keep=("a name with blanks",),
    keep_headers=("x-tenant",),
    unclear="fail",
    gives_up=("app.Gone",),
    prices="prices.toml",
    vcr="report",
    vcr_contracts=("app:TICKET",),
)


def test_every_ini_value_is_a_setting(read: Config, tmp_path: Path) -> None:
    """A path is relative to the root folder. In CI nothing is recorded by an ini value."""
    assert read(ini=INI) == FROM_INI._replace(baseline=tmp_path / "known.json")
    in_ci = read(ini=INI, ci="true")
    assert (in_ci.record, in_ci.stale_fails, in_ci.in_ci) == ("none", False, True)


def test_the_command_line_comes_first(read: Config, tmp_path: Path) -> None:
    """A path is relative to the folder that pytest started in, and CI may record on request."""
    given = read(
        "--planguard-record=stale", "--planguard-match=strict", "--planguard-variant=large",
        "--planguard-record-max-calls=8", "--planguard-record-max-tokens=9", "--planguard-samples=2",
        "--planguard-prove", "--planguard-stale=fail", "--planguard-save=main", "--planguard-fail-under=1",
        "--planguard-drift", "--planguard-baseline=mine.json", "--planguard-baseline-update",
        "--planguard-baseline-prune",
        ini=INI, ci="1",
    )  # fmt: skip
    assert given == FROM_INI._replace(
        record="stale",
        match="strict",
        variant="large",
        record_max_calls=8,
        record_max_tokens=9,
        samples=2,
        prove="always",
        stale_fails=True,
        in_ci=True,
        save="main",
        fail_under=1.0,
        drift=True,
        baseline=tmp_path / "start" / "mine.json",
        baseline_update=True,
        baseline_prune=True,
    )


def test_a_suite_of_another_tool_is_read_if_it_is_judged_or_compared(read: Config) -> None:
    """Each of the two is enough."""
    assert not read().reads_vcr
    assert read(ini="vcr = fail").reads_vcr
    assert read("--planguard-drift").reads_vcr


NEEDS = "needs --planguard-baseline=FILE, or planguard_baseline in the ini file"


@pytest.mark.parametrize(
    ("argument", "said"),
    [
        ("samples=0", "--planguard-samples = '0': expected a whole number of at least 1"),
        ("samples=", "--planguard-samples = '': expected a whole number of at least 1"),
        ("record-max-calls=many", "--planguard-record-max-calls = 'many': expected a whole number of calls"),
        ("record-max-calls=+3", "--planguard-record-max-calls = '+3': expected a whole number of calls"),
        ("record-max-tokens=1_000", "--planguard-record-max-tokens = '1_000': expected a whole number of tokens"),
        ("record-max-tokens=١", "--planguard-record-max-tokens = '١': expected a whole number of tokens"),
        ("fail-under=1.01", "--planguard-fail-under = '1.01': expected a score from 0 to 1"),
        ("fail-under=-0.01", "--planguard-fail-under = '-0.01': expected a score from 0 to 1"),
        ("baseline-update", f"--planguard-baseline-update {NEEDS}"),
        ("baseline-prune", f"--planguard-baseline-prune {NEEDS}"),
    ],
)
def test_a_wrong_argument_is_refused(read: Config, argument: str, said: str) -> None:
    """The message names the option and what is expected; digits are those of a keyboard."""
    with pytest.raises(pytest.UsageError) as error:
        read(f"--planguard-{argument}")
    assert str(error.value) == said


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("prove_seconds = 0", "planguard_prove_seconds = '0': expected a number of seconds above 0"),
        ("prove_seconds = inf", "planguard_prove_seconds = 'inf': expected a number of seconds above 0"),
        ("prove_reruns =", "planguard_prove_reruns = '': expected a whole number of at least 1"),
        ("stale = no", "planguard_stale = 'no'. Known: fail, warn"),
    ],
)
def test_a_wrong_ini_value_is_refused(read: Config, line: str, said: str) -> None:
    """The message names the value and what is expected."""
    with pytest.raises(pytest.UsageError) as error:
        read(ini=line)
    assert str(error.value) == f"ini value {said}"


def test_an_empty_number_is_none(read: Config) -> None:
    """As if the line were not there."""
    lines = ("fail_under =", "record_max_calls =", "record_max_tokens =", "max_age =", "variant =", "stale =")
    assert read(ini="\n".join(lines)) == Settings()


def test_a_run_is_of_the_whole_suite_if_it_names_no_tests(read: Config, tmp_path: Path) -> None:
    """And if it starts in the root folder: only then a cassette without a test is an orphan."""
    read()
    (tmp_path / "start" / "test_a.py").touch()
    for root, arguments, whole in (("..", (), False), (".", (), True), (".", ("test_a.py",), False)):
        config = _prepareconfig(["-p", "planguard", f"--rootdir={root}", "-c", "../pytest.ini", *arguments])
        assert is_started_whole(config) is whole
        config._ensure_unconfigure()
