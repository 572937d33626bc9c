"""`planguard init`: what is missing is written, what is there stays, and the first test is green."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ...support.commands import run
from ...support.warm import inner_environment, run_module


def files(folder: Path) -> dict[str, str]:
    """Every file of the project with its content."""
    return {p.relative_to(folder).as_posix(): p.read_text() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_a_first_project(here: Path) -> None:
    """Each file is named; a second run changes nothing."""
    done = run("init")
    assert done.exit_code == 0
    assert done.stdout.splitlines() == [
        "pytest.ini: written",
        "test_planguard.py: written",
        ".gitignore: *.part* added (cassettes in the making)",
        "next: pytest",
    ]
    before = files(here)
    again = run("init")
    assert again.stdout == "test_planguard.py: is there already\n.gitignore: has *.part* already\nnext: pytest\n"
    assert files(here) == before


@pytest.mark.slow
def test_the_first_test_is_green_and_turns_red(here: Path) -> None:
    """Without a key and without the network, in a real pytest."""
    run("init")
    command = ["pytest", "-q", "-p", "planguard", "-p", "no:cacheprovider"]
    green = run_module(command, here, inner_environment())
    assert (green.returncode, b"1 case: 1 valid" in green.stdout) == (0, True), green
    test = here / "test_planguard.py"
    test.write_text(test.read_text().replace('"priority": "high"', '"priority": "urgent"'))
    red = run_module(command, here, inner_environment())
    assert red.returncode == 1
    assert b'expected one of "low", "medium", "high"; got "urgent"' in red.stdout


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("pyproject.toml", "[tool.pytest.ini_options]\naddopts = '-q'\n"),
        ("setup.cfg", "[tool:pytest]\naddopts = -q\n"),
        ("tox.ini", "[pytest]\naddopts = -q\n"),
        ("pytest.ini", ""),
    ],
)
def test_a_project_that_is_configured_stays_so(here: Path, name: str, content: str) -> None:
    """Another file would take precedence over it, and a folder `tests` gets the test."""
    (here / name).write_text(content)
    (here / "tests").mkdir()
    (here / ".gitignore").write_text("*.pyc")
    assert run("init").exit_code == 0
    assert sorted(files(here)) == sorted([name, "tests/test_planguard.py", ".gitignore"])
    assert (here / name).read_text() == content
    assert (here / ".gitignore").read_text() == "*.pyc\n*.part*\n"


GROUPS = "[dependency-groups] in pyproject.toml"
UV = '[project]\nname = "app"\ndependencies = ["openai[datalib]>=1.60; python_version < \'4\'"]\n'
POETRY = '[tool.poetry.dependencies]\ncrewai = "*"\n[tool.poetry.group.dev.dependencies]\nPydantic_AI = "*"\n'


@pytest.mark.parametrize(
    ("written", "lines"),
    [
        (
            {"pyproject.toml": UV, "uv.lock": ""},
            [
                "to add planguard to the project: uv add --dev pytest-planguard",
                "openai: recorded without any setting",
            ],
        ),
        (
            {"pyproject.toml": POETRY},
            [
                "to add planguard to the project: poetry add --group dev pytest-planguard",
                "pydantic-ai: recorded without any setting",
                "crewai: set CREWAI_DISABLE_TELEMETRY=true and OTEL_SDK_DISABLED=true while tests run",
            ],
        ),
        (
            {"pyproject.toml": '[project]\nname = "app"\n[project.optional-dependencies]\nai = ["google-genai"]\n'},
            [
                f"to add planguard to the project: add pytest-planguard to the group dev of {GROUPS}",
                "google-genai: recorded without any setting",
            ],
        ),
        (
            {
                "requirements.txt": "# x\nanthropic==0.60\n-r other.txt\n",
                "requirements-dev.txt": "pytest-recording",
            },
            [
                "to add planguard to the project: add the line pytest-planguard to requirements-dev.txt",
                "anthropic: recorded without any setting",
                "pytest-recording: planguard_vcr = report in pytest.ini judges the tests that you have",
            ],
        ),
        ({"pyproject.toml": '[project]\nname = "app"\n[dependency-groups]\ndev = ["pytest_planguard", 1, {}]\n'}, []),
        ({"pyproject.toml": "project = 1\ndependency-groups = []\n[tool]\npoetry = 2\n"}, None),
        (
            {"tests/cassettes/test_a/one.yaml": "", "tests/cassettes/two.json": "", ".venv/cassettes/no.yaml": ""},
            ["tests/cassettes: 2 cassettes; to judge what is recorded: planguard check tests/cassettes"],
        ),
    ],
    ids=["uv", "poetry", "extra", "requirements", "has planguard", "odd", "cassettes"],
)
def test_what_the_project_has_is_said(here: Path, written: dict[str, str], lines: list[str] | None) -> None:
    """How it installs packages, which SDKs it names, and its cassettes; a file of odd types is no crash."""
    for name, content in written.items():
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        (here / name).write_text(content)
    done = run("init")
    assert (done.exit_code, done.stderr) == (0, "")
    said = done.stdout.splitlines()
    assert said[-1] == "next: pytest"
    if lines is not None:
        assert said[-1 - len(lines) : -1] == lines
        assert said[-2 - len(lines)].startswith(".gitignore: ")


ADVICE = """
anthropic, cohere, google-genai, groq, instructor, langchain, langchain-anthropic, langchain-openai, langgraph, \
litellm, mistralai, ollama, openai, openai-agents, pydantic-ai, pydantic-ai-slim: recorded without any setting
crewai: set CREWAI_DISABLE_TELEMETRY=true and OTEL_SDK_DISABLED=true while tests run
dspy: create the model with engine="litellm" and cache=False
xai-sdk: gRPC cannot be recorded; use the openai package with xAI's address
pytest-recording: planguard_vcr = report in pytest.ini judges the tests that you have
pytest-vcr: planguard_vcr = report in pytest.ini judges the tests that you have
"""


def test_every_known_package_has_its_advice(here: Path) -> None:
    """Those that need no setting are on one line; an unknown one is not named."""
    named = [name.strip() for line in ADVICE.strip().splitlines() for name in line.partition(": ")[0].split(",")]
    (here / "requirements.txt").write_text("\n".join([*reversed(named), "numpy", "pytest-planguard"]))
    assert run("init").stdout.splitlines()[3:-1] == ADVICE.strip().splitlines()


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-test.txt", "dev-requirements.txt"])
def test_a_file_of_requirements_gets_the_package(here: Path, name: str) -> None:
    """The last one of several, which is the one for tests."""
    (here / "requirements.txt").touch()
    (here / name).touch()
    assert f"to add planguard to the project: add the line pytest-planguard to {name}\n" in run("init").stdout


@pytest.mark.parametrize(
    ("files", "command"),
    [
        ({"pyproject.toml": "[tool.uv]\n"}, "uv add --dev pytest-planguard"),
        ({"poetry.lock": ""}, "poetry add --group dev pytest-planguard"),
    ],
)
def test_the_installer_is_known_by_its_lock_or_its_settings(here: Path, files: dict[str, str], command: str) -> None:
    """One of the two is enough."""
    for name, text in files.items():
        (here / name).write_text(text)
    assert f"to add planguard to the project: {command}\n" in run("init").stdout


def test_broken_settings_are_refused_before_anything_is_written(here: Path) -> None:
    """Exit code 3, and the file."""
    (here / "pyproject.toml").write_text("[tool")
    broken = run("init")
    assert (broken.exit_code, broken.stdout) == (3, "")
    assert re.fullmatch(r"planguard: pyproject\.toml: is not TOML: got .+; fix it first\n", broken.stderr)


def test_an_ignore_file_that_cannot_be_read_stays(here: Path) -> None:
    """Exit code 3, and the line to add."""
    (here / ".gitignore").write_bytes(b"\xff")
    unwritten = run("init")
    assert unwritten.exit_code == 3
    assert unwritten.stderr == (
        "planguard: .gitignore: cannot be written: got 'utf-8' codec can't decode byte 0xff in position 0: "
        "invalid start byte; add the line *.part* yourself\n"
    )
    assert (here / ".gitignore").read_bytes() == b"\xff"


def test_a_test_of_ones_own_is_not_overwritten(here: Path) -> None:
    """It is named, and stays."""
    (here / "test_planguard.py").write_text("mine")
    assert "test_planguard.py: exists with other content: nothing was written\n" in run("init").stdout
    assert (here / "test_planguard.py").read_text() == "mine"


def test_the_module_is_the_command(here: Path) -> None:
    """`python -m pytest_planguard` works where the script is not on the path."""
    assert shutil.which(sys.executable)
    command = [sys.executable, "-m", "pytest_planguard", "--version"]
    done = subprocess.run(command, cwd=here, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.startswith("planguard ")) == (0, True)
