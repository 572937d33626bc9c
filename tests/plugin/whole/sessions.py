"""What sessions of pytest print about recorded, stale, missing and known conversations, checked answers and plan files.

Each output has the command line, the exit code, and what pytest prints, without times, paths and versions.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, partial

from pytest_planguard.testing.example import Example, Run

from ...integration.apps import APPS
from ...integration.fixtures.test_early_fixtures import CONFTEST as EARLY_CONFTEST
from ...integration.fixtures.test_early_fixtures import TESTS as EARLY_TESTS
from ...integration.marker.test_cases import CHECKED
from ...integration.marker.test_cases import project as project_of_cases
from ...integration.plan_tests.test_plan_files import project as project_of_plans
from ...integration.projects import TOMATO, app, project, run, script
from ...integration.proving.test_obstacles import TESTS as OBSTACLES
from ...integration.proving.test_obstacles import project as project_of_obstacles
from ...integration.results.test_pipeline_parts import TESTS as PIPELINE_PARTS
from ...integration.results.test_search_in_a_test import STEPS
from ...integration.test_child_processes import CHECKED as CHECKED_CHILD
from ...integration.test_snapshots import CONTRACTS as SNAPSHOT_CONTRACTS
from ...integration.test_snapshots import TESTS as SNAPSHOT_TESTS
from ...integration.test_vcr_suite import ASK as SUITE_ASK
from ...integration.test_vcr_suite import PLUGINS, SUITE
from ...support.lookalike import Lookalike
from ...support.warm import WarmExample
from ...support.whole import Outputs
from .probed import facts

TEST = """
@pytest.mark.planguard(TICKET)
@pytest.mark.parametrize("loop", [apps.careful, apps.first_only, apps.resends])
def test_printer(loop):
    assert loop(ask.plain, "the printer is on fire")


@pytest.mark.planguard(TICKET)
def test_mule():
    assert apps.careful(ask.plain, "the mule is stuck") is None


@pytest.mark.planguard(TICKET, max_attempts=2)
def test_two_tasks(planguard):
    assert apps.careful(ask.plain, "the tomato is small")
    assert apps.careful(ask.plain, "the mule is stuck") is None
    planguard.judge(expect="stuck")


@pytest.mark.planguard(TICKET, samples=2, min_pass_rate=1)
def test_samples():
    assert apps.careful(ask.plain, "the tomato is small")


@pytest.mark.planguard(TICKET)
def test_of_its_own():
    assert apps.careful(ask.plain, "the tomato is small") == "another tomato"


@pytest.mark.planguard(TICKET)
def test_goat():
    assert apps.careful(ask.plain, "the goat is loose", attempts=2) is None


@pytest.mark.planguard(TICKET)
def test_without_a_call():
    pass
"""
CHECKS = """
@pytest.mark.planguard(TICKET, mode="check")
@pytest.mark.parametrize("answer", [GOOD, BAD, "Sorry, I cannot help.", "```json\\n" + GOOD + "\\n```"])
def test_check(planguard, answer):
    planguard.check(answer)


@pytest.mark.planguard(TICKET, mode="check")
def test_two_answers(planguard):
    planguard.check(GOOD)
    planguard.check(BAD, contract=PLAN)


@pytest.mark.planguard(TICKET)
def test_no_cassette(planguard):
    import urllib.request
    urllib.request.urlopen("http://127.0.0.1:9/v1/chat/completions")


def test_unmarked(planguard):
    planguard.check(GOOD, contract=TICKET)


@pytest.mark.planguard(TICKET, mode="driven")
def test_driven(planguard):
    planguard.converge(lambda messages: BAD, [{"role": "user", "content": "Write a ticket."}])
"""
WIDE = """
import pytest
from pytest_planguard import Contract

@pytest.mark.planguard(Contract(dict), cases="cases.jsonl", min_score=1)
def test_wide(planguard, planguard_case):
    planguard.check(planguard_case.input)
"""
REWORDED = ("Write a ticket as JSON with title", "Write one ticket as JSON with title")
UPDATED = ("--planguard-baseline=known.json", "--planguard-baseline-update")
# "in 0.12s", "in 65.02s (0:01:05)"
_TIME = re.compile(r"\bin \d+\.\d+s\b(?: \(\d:\d\d:\d\d\))?")
# "=== FAILURES ===", as wide as the terminal
_RULE = re.compile(r"^([=_-])\1{2,} ?(.*?) ?\1{3,}$", re.MULTILINE)
# "platform linux -- Python 3.11.7, pytest-9.2.0", "rootdir: /tmp/example-1"
_OF_THE_MACHINE = re.compile(r"^(?:platform|rootdir:|plugins:|configfile:|cachedir:).*\n", re.MULTILINE)
# "/tmp/example-1/app.py", "0x7f66", "127.0.0.1:41037", "2026-11-28"
_PLACES = re.compile(
    r"/\S*/example-\w+|/\S*/pytest-of-\w+/pytest-\d+|0x[0-9a-f]+|127\.0\.0\.1:\d{2,5}|20\d\d-\d\d-\d\d\b"
)


def outputs() -> Outputs:
    """Return what makes each output."""
    sessions: dict[str, Callable[[], str]] = {
        "recorded": lambda: _shown(_recorded(), "--planguard-record=missing"),
        "replayed": partial(_later),
        "replayed-quietly": partial(_later, "-q", "-rA"),
        "stale": partial(_later, change=REWORDED),
        "stale-fails": partial(_later, "--planguard-stale=fail", change=REWORDED),
        "strict": partial(_later, "--planguard-match=strict", "-k", "printer", change=REWORDED),
        "missing": partial(_later, "--planguard-variant=other"),
        "samples": partial(_later, "--planguard-samples=3", "-k", "samples"),
        "known": partial(_later, *UPDATED),
        "still-known": _still_known,
        "kept": partial(_later, "--planguard-save=main", "-q"),
        "checks": lambda: _shown(project(CHECKS).run_pytest()),
        "checks-in-ci": lambda: _shown(project(CHECKS).run_pytest(env={"CI": "1"})),
        "recording-in-ci": lambda: _shown(
            project(CHECKS)
            .with_files({"pytest.ini": "[pytest]\nplanguard_record = missing\n"})
            .run_pytest("-k", "cassette", env={"CI": "1"})
        ),
        "plans": lambda: _shown(project_of_plans().run_pytest()),
        "cases": lambda: _shown(project_of_cases(CHECKED.format(more=", min_score=0.9")).run_pytest()),
        "many-wrong": lambda: _shown(project_of_cases(WIDE, [_wide(1), _wide(40)]).run_pytest()),
        "cases-below": lambda: _shown(
            project_of_cases(CHECKED.format(more="")).run_pytest("--planguard-fail-under=0.99"),
            "--planguard-fail-under=0.99",
        ),
    }
    return {**{f"{name}.txt": make for name, make in (sessions | _parts()).items()}, **_written()}


_WRONG = (
    *("match = gate", "record = sometimes", "stale = never", "prove = perhaps", "processes = some", "vcr = yes"),
    *("unclear = odd", "fail_under = 2", "record_max_calls = many", "record_max_tokens = -1", "max_age = soon"),
    *("max_attempts = 0", "prove_reruns = few", "prove_seconds = few", "variant = ../up", "cassette_dir = ../up"),
    *("plan_files = /absolute/*.md", "plan_rules = none", "tape_files = ../up", "endpoint_variables = 1X"),
    *("prices = nothing.json", "baseline = nothing.json", "gives_up = 1"),
)


def _wrong_settings() -> str:
    """Return what is said about each wrong value in the ini file."""
    test = "import pytest\nfrom pytest_planguard import Contract\n\n"
    test += "@pytest.mark.planguard(Contract(int))\ndef test_a(planguard):\n    planguard.check('1')\n"
    files = {"test_a.py": test}
    made = ((line, {**files, "pytest.ini": f"[pytest]\nplanguard_{line}\n"}) for line in _WRONG)
    return "\n".join(_shown(WarmExample(one).run_pytest(), f"# planguard_{line}") for line, one in made)


_FEW_ATTEMPTS = ("-o", "planguard_vcr=report", "-o", "planguard_max_attempts=1")


def _written() -> Outputs:
    """Return the files that sessions write: rows of runs, a recording, a list of known failures, JUnit's XML."""
    cassette = "cassettes/test_app/default/test_printer-first_only-d9046e42.yaml"
    rows = ".planguard/last.jsonl"
    return {
        "recorded-rows.jsonl": lambda: _file(_recorded(), rows),
        "replayed-rows.jsonl": lambda: _file(_again(_recorded().example), rows),
        "checks-rows.jsonl": lambda: _file(project(CHECKS).run_pytest(), rows),
        "cases-rows.jsonl": lambda: _file(project_of_cases(CHECKED.format(more=", min_score=0.9")).run_pytest(), rows),
        "plans-rows.jsonl": lambda: _file(project_of_plans().run_pytest(), rows),
        "searches-rows.jsonl": lambda: _file(WarmExample({"test_a.py": STEPS}).run_pytest(), rows),
        "pipeline-parts-rows.jsonl": lambda: _file(WarmExample({"test_a.py": PIPELINE_PARTS}).run_pytest(), rows),
        "vcr-rows.jsonl": lambda: _file(run(*_suite(), *_FEW_ATTEMPTS, plugins=PLUGINS), rows),
        "probe.json": facts,
        "cassette.yaml": lambda: _file(_recorded(), cassette),
        "known.json": lambda: _file(_again(_recorded().example, *UPDATED), "known.json"),
        "junit.xml": lambda: _file(_again(_recorded().example, "--junit-xml=out.xml"), "out.xml"),
    }


# '"run":"a8a745184aa2"', '"latency_s":0.002', "date:" with its value, "python-httpx2/2.16.2", 'time="0.1"'
_OF_THE_RUN = re.compile(
    r'"(?:run|created|cassette_digest)":"[^"]*"|"latency_s":[\d.]+|"packages":\{[^}]*\}'
    r'|(?<=x-planguard-latency-s:\n      - )"[\d.]+"|(?<=date:\n      - )"[^"]*"|python-httpx\S+|BaseHTTP\S+ Python\S+'
    r'|(?:time|timestamp|hostname)="[^"]*"|20\d\d-\d\d-\d\d|0x[0-9a-f]{6,}|digest [0-9a-f]{16}'
)


def _file(done: Run, path: str) -> str:
    text = _PLACES.sub("…", _OF_THE_RUN.sub("…", done.example.read(path)))
    return text.replace("><", ">\n<").rstrip("\n") + "\n"


_ANYWHERE = "not own_temporary_files"
"""Leaves out the test of a folder that belongs to a run or not, by where the machine has its temporary folders."""


def _nothing() -> Lookalike:
    """Return a server that no longer answers."""
    server = Lookalike()
    server.stop()
    return server


def _early() -> str:
    """Return what is said about fixtures that ask before their test's cassette opens."""
    server = _nothing()
    example = app(EARLY_TESTS).with_files({"conftest.py": EARLY_CONFTEST})
    return _shown(run(example, server, "-rA"), "-rA")


@cache
def _suite() -> tuple[Example, Lookalike]:
    """Return a suite of pytest-recording with its cassettes, and the server, which no longer answers."""
    server = script(Lookalike())
    made = run(project(SUITE, apps=APPS, ask=SUITE_ASK), server, "-q", "--record-mode=once", plugins=PLUGINS)
    server.stop()
    return made.example, server


def _vcr(*ini: str) -> str:
    options = [f"--override-ini={each}" for each in ini]
    return _shown(run(*_suite(), *options, plugins=PLUGINS), *options)


@cache
def _snapshots() -> Run:
    example = WarmExample({"contracts.py": SNAPSHOT_CONTRACTS, "test_app.py": SNAPSHOT_TESTS})
    return _with_syrupy(example, "--snapshot-update")


def _with_syrupy(example: Example, *arguments: str) -> Run:
    return example.run_pytest(*arguments, plugins=("planguard", "syrupy"))


def _parts() -> dict[str, Callable[[], str]]:
    """Return the sessions about other parts of the plugin."""
    return {
        "searches": lambda: _shown(WarmExample({"test_a.py": STEPS}).run_pytest()),
        "pipeline-parts": lambda: _shown(WarmExample({"test_a.py": PIPELINE_PARTS}).run_pytest("-rA"), "-rA"),
        "early-fixtures": _early,
        "obstacles": lambda: _shown(project_of_obstacles(OBSTACLES).run_pytest("-k", _ANYWHERE), "-k …"),
        "vcr-report": partial(_vcr, "planguard_vcr=report"),
        "vcr-fail": partial(_vcr, "planguard_vcr=fail"),
        "vcr-contracts": partial(_vcr, "planguard_vcr=report", "planguard_vcr_contracts=contracts:TICKET"),
        "vcr-wrong-contracts": partial(_vcr, "planguard_vcr=report", "planguard_vcr_contracts=contracts:NOTHING"),
        "vcr-drift": lambda: _shown(run(*_suite(), "--planguard-drift", plugins=PLUGINS)),
        "snapshots": lambda: _shown(_snapshots()),
        "snapshots-changed": lambda: _shown(
            _with_syrupy(_snapshots().example.replaced('"high", 0.5', '"urgent", 7.5')), "-q"
        ),
        "children": lambda: _shown(project(CHECKED_CHILD).run_pytest()),
        "children-fail": lambda: _shown(project(CHECKED_CHILD).run_pytest("-o", "planguard_processes=fail")),
        "collected": partial(_later, "--collect-only", "-q"),
        "quietest": partial(_later, "-qq"),
        "deselected": partial(_later, "-m", "not planguard"),
        "stopped": partial(_later, "-x", "--planguard-baseline=known.json"),
        "no-list": partial(_later, "--planguard-baseline-update"),
        "wrong-settings": _wrong_settings,
    }


def _wide(wrong: int) -> dict[str, object]:
    """Return a case with 50 fields, of which the first ones are wrong."""
    found = {f"f{n:02}": n if n >= wrong else -n - 1 for n in range(50)}
    return {"name": f"wide-{wrong}", "input": found, "expected": {f"f{n:02}": n for n in range(50)}}


@cache
def _recorded() -> Run:
    live = script(Lookalike())
    live.script(*({**TOMATO, "priority": word} for word in ("no", "on")), when="goat")  # other words, the same error
    try:
        return run(app(TEST), live, "--planguard-record=missing")
    finally:
        live.stop()


def _again(example: Example, *arguments: str) -> Run:
    return example.run_pytest(*arguments, env={"LOOKALIKE": "http://127.0.0.1:9"})


def _later(*arguments: str, change: tuple[str, str] | None = None) -> str:
    example = _recorded().example
    return _shown(_again(example.replaced(*change) if change else example, *arguments), *arguments)


def _still_known() -> str:
    """Return what is printed about listed failures, of which one is gone and one was never made."""
    listed = _again(_recorded().example, *UPDATED).example
    mended = listed.replaced('== "another tomato"', "")
    return _shown(_again(mended, UPDATED[0]), UPDATED[0])


def _shown(done: Run, *arguments: str) -> str:
    text = _PLACES.sub("…", _TIME.sub("in …", _OF_THE_MACHINE.sub("", done.output)))
    text = _RULE.sub(r"\1\1\1 \2", text)
    return f"$ {' '.join(('pytest', *arguments))}\n{text.strip()}\nexit {done.returncode}\n"
