"""Whatever cassettes, answers, plans and their names say, pytest prints none of it as an order to the terminal."""

import json

import pytest

from pytest_planguard.replay.files.cassette_text import render

from ...support.exchanges import assistant, chat, user
from ...support.orders import HOSTILE, orders
from ...support.plans import text_of
from ...support.warm import WarmExample

TESTS = f"""
import json
import warnings
from pathlib import Path

import httpx2
import pytest
from pytest_planguard import Contract, min_length, read_cassette
from pytest_planguard.errors import PlanguardWarning

N = {HOSTILE!r}
SCHEMA = {{"type": "object", "properties": {{"a": {{"enum": [N]}}}}, "required": ["a", N]}}
C = Contract(SCHEMA, name=N)
URL = "https://api.example.com/v1/chat/completions"

def ask(messages):
    body = {{"model": N, "messages": messages}}
    return httpx2.post(URL, json=body, verify=False).json()["choices"][0]["message"]["content"]

@pytest.mark.planguard(C)
def test_answer(planguard):
    planguard.check(json.dumps({{"a": N, N: N}}))

@pytest.mark.planguard(C)
def test_answer_in_a_file(planguard):
    planguard.check(Path(f"{{N}}.json"))

@pytest.mark.planguard(C, cassette="keys.yaml")
def test_no_recording(planguard):
    ask([])

@pytest.mark.planguard(C, cassette=f"{{N}}.yaml", key=N)
def test_name_of_a_recording(planguard):
    ask([{{"role": "user", "content": N}}])
    ask([{{"role": "user", "content": N}}, {{"role": "user", "content": N * 3}}])

@pytest.mark.planguard(C, cassette="talk.yaml")
def test_unmatched(planguard):
    try:
        ask([{{"role": "user", "content": f"{{N}} {{N}}"}}])
    except Exception:
        pass

@pytest.mark.planguard(C, cassette="cut.yaml")
def test_cut(planguard):
    ask([])

@pytest.mark.planguard(C, samples=2, min_pass_rate=0.5)
def test_samples(planguard):
    planguard.check(N)

def test_error_of_ours_in_a_plain_test():
    read_cassette("keys.yaml")

def test_error_with_a_name():
    read_cassette(f"{{N}}2.yaml")

def test_warning():
    warnings.warn(PlanguardWarning(N))
"""


KNOWN = {"case": HOSTILE, "path": [HOSTILE], "rule": HOSTILE, "reason": HOSTILE, "owner": HOSTILE}
WRONG = [f"match={HOSTILE!r}", f"checks={{{HOSTILE!r}: 'warn'}}", f"variant={HOSTILE!r}, cassette={HOSTILE!r}, x=1"]


def hostile_project() -> WarmExample:
    """Tests that fail in every way in which a file's words get into a failure."""
    rejected = json.dumps({"a": HOSTILE, HOSTILE: HOSTILE})
    retry = [user(HOSTILE), assistant(rejected), user(f"{HOSTILE}: {HOSTILE}")]
    talk = render([chat([user(HOSTILE)], rejected), chat(retry, HOSTILE)])
    return WarmExample({
        "test_app.py": TESTS,
        "pytest.ini": "[pytest]\nplanguard_plan_files = specs/*.md\n",
        "cassettes/.keep": "",
        "talk.yaml": talk,
        f"{HOSTILE}.yaml": talk,
        f"{HOSTILE}2.yaml": json.dumps({HOSTILE: 1}),
        f"{HOSTILE}.json": rejected,
        "cut.yaml": talk[:-30],
        "keys.yaml": json.dumps({HOSTILE: 1}),
        "known.json": json.dumps({"planguard": "baseline", "format": 1, "failures": [KNOWN]}),
        "specs/tasks.md": text_of("spec-kit-tasks")[1].replace("] T002 [P]", f"] T001 [P] {HOSTILE}"),
        "specs/other.md": f"# {HOSTILE}\n\n- [ ] {HOSTILE}\n",
    })  # fmt: skip


@pytest.mark.parametrize(
    "options",
    [
        ("-v", "-rA"),
        ("-q", "--tb=long"),
        ("-qq", "-ra", "--tb=line"),
        ("--planguard-baseline=known.json", "--tb=short", "-rA"),
    ],
    ids=" ".join,
)
def test_nothing_that_a_file_says_is_an_order(options: tuple[str, ...]) -> None:
    """Failures, errors, the section at the end, warnings, the short summary."""
    done = hostile_project().run_pytest(*options, "-W", "default")
    assert "INTERNALERROR" not in done.stdout
    for line in done.output.split("\n"):
        quoted = "'" in line and r"\x1b]0;pwn" in line  # a repr, as pytest's tracebacks show the values of names
        assert (line, orders(line.replace("##[", "") if quoted else line)) == (line, [])
    assert "-qq" in options or done.outcomes["failed"] >= 7


@pytest.mark.parametrize("options", [("-q",), ("-v", "-rA"), ("-v", "-n", "1")], ids=" ".join)
def test_the_name_of_a_plan_file_is_no_order(options: tuple[str, ...]) -> None:
    """A pull request names its files; pytest prints the ids of their tests."""
    files = {f"specs/{HOSTILE}.md": "# No plan\n", "specs/tasks.md": text_of("spec-kit-tasks")[1]}
    example = WarmExample({"pytest.ini": "[pytest]\nplanguard_plan_files = specs/*.md\n", **files})
    done = example.run_pytest(*options, plugins=("planguard", "xdist"))
    assert dict(done.outcomes) == {"failed": 1, "passed": 1}
    assert orders(done.output) == []


@pytest.mark.parametrize("arguments", WRONG)
def test_a_wrong_marker_is_quoted(arguments: str) -> None:
    """What a marker says may come from a file, as where cases are read from one."""
    test = f"import pytest\n\n@pytest.mark.planguard({arguments})\ndef test_a(planguard): ...\n"
    done = WarmExample({"test_app.py": test}).run_pytest("-q")
    assert orders(done.output.replace("##[", "")) == []
    assert done.returncode != 0


@pytest.mark.parametrize("option", ["save", "baseline", "match", "record", "variant", "samples"])
def test_a_wrong_option_is_quoted(option: str) -> None:
    """On the command line and in the ini file."""
    example = WarmExample({"test_app.py": "import pytest\n\n@pytest.mark.planguard\ndef test_a(): ...\n"})
    for words in ((f"--planguard-{option}={HOSTILE}",), ("-o", f"planguard_{option}={HOSTILE}")):
        done = example.run_pytest("-q", *words)
        assert orders(done.output.replace("##[", "")) == []
