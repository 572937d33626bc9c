"""`planguard init`: write what a project needs for its first contract test, without asking."""

from __future__ import annotations

import os
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...contract.strength.proposal import contradictions, propose
from ...errors import RunError, UsageError
from ...printable import one_line
from ...report.plain_text import count
from ...runs.load.contracts import load_contracts
from ..commands import epilog, field_option, needs
from ..inputs.recorded_answers import example_answers, labelled_cases, of_one_schema
from ..inputs.sources import ExistingPath
from ..output import say
from .ci import HOMES, REQUIREMENTS, NewFile, ci_files, pyproject, table, text_of, write_all

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...contract.strength.evidence import GoodAnswer


PACKAGE = "pytest-planguard"
PACKAGE_NAME = re.compile(r"\s*([A-Za-z0-9][\w.-]*)")
"""The package of a requirement: "openai" in "openai[datalib]>=1.60; python_version < '4'"."""
RECORDED = {
    "anthropic",
    "cohere",
    "google-genai",
    "groq",
    "instructor",
    "langchain",
    "langchain-anthropic",
    "langchain-openai",
    "langgraph",
    "litellm",
    "mistralai",
    "ollama",
    "openai",
    "openai-agents",
    "pydantic-ai",
    "pydantic-ai-slim",
}
"""SDKs whose traffic is recorded without any setting."""
SETTINGS = {
    "crewai": "set CREWAI_DISABLE_TELEMETRY=true and OTEL_SDK_DISABLED=true while tests run",
    "dspy": 'create the model with engine="litellm" and cache=False',
    "xai-sdk": "gRPC cannot be recorded; use the openai package with xAI's address",
    "pytest-recording": "planguard_vcr = report in pytest.ini judges the tests that you have",
    "pytest-vcr": "planguard_vcr = report in pytest.ini judges the tests that you have",
}
"""Advice on a package."""
MOST_FOLDERS = 2_000
"""Maximum number of folders to search for cassettes. In a larger project, only those found so far are listed."""


def findings(folder: Path) -> Iterator[str]:
    """Yield a line for each finding: the command that adds planguard, the SDKs, and folders with cassettes."""
    declared = frozenset(_declared(folder))
    if PACKAGE not in declared and (command := _adding(folder)):
        yield f"to add planguard to the project: {command}"
    if recorded := sorted(declared & RECORDED):
        yield f"{', '.join(recorded)}: recorded without any setting"
    yield from (f"{name}: {advice}" for name, advice in SETTINGS.items() if name in declared)
    for path, files in sorted(_cassettes(folder).items()):
        shown = one_line(path.as_posix(), 200)
        yield f"{shown}: {count(files, 'cassette')}; to judge what is recorded: planguard check {shown}"


def _adding(folder: Path) -> str | None:
    """Return how this project adds a package for its tests; None if no file says so."""
    data = pyproject(folder)
    tools = table(data, "tool")
    if (folder / "uv.lock").is_file() or "uv" in tools:
        return f"uv add --dev {PACKAGE}"
    if (folder / "poetry.lock").is_file() or "poetry" in tools:
        return f"poetry add --group dev {PACKAGE}"
    files = [name for name in REQUIREMENTS if (folder / name).is_file()]
    if files:
        return f"add the line {PACKAGE} to {files[-1]}"
    return f"add {PACKAGE} to the group dev of [dependency-groups] in pyproject.toml" if "project" in data else None


def _declared(folder: Path) -> Iterator[str]:
    """Yield the packages that pyproject.toml and files of requirements name, in lower case with hyphens."""
    data = pyproject(folder)
    project, poetry = table(data, "project"), table(table(data, "tool"), "poetry")
    groups = [project.get("dependencies"), *table(project, "optional-dependencies").values()]
    groups += table(data, "dependency-groups").values()
    groups += [table(poetry, "dependencies"), *(table(one, "dependencies") for one in table(poetry, "group").values())]
    files = [folder / name for name in REQUIREMENTS if (folder / name).is_file()]
    groups += [path.read_text(encoding="utf-8", errors="replace").splitlines() for path in files]
    for group in groups:
        for requirement in group if isinstance(group, list | dict) else ():
            if match := PACKAGE_NAME.match(str(requirement)):
                yield re.sub(r"[-_.]+", "-", match[1]).lower()


def _cassettes(folder: Path) -> Counter[Path]:
    """Return the outermost folders named `cassettes` with the number of YAML and JSON files below each."""
    found: Counter[Path] = Counter()
    for searched, (name, folders, files) in enumerate(os.walk(folder)):
        if searched == MOST_FOLDERS:
            break
        folders[:] = [one for one in folders if not one.startswith(".") and one not in {"node_modules", "venv"}]
        here = Path(name).relative_to(folder)
        if "cassettes" in here.parts and (number := sum(one.endswith((".yaml", ".yml", ".json")) for one in files)):
            found[Path(*here.parts[: here.parts.index("cassettes") + 1])] += number
    return found


IGNORED = "*.part*"
"""Unfinished cassettes, which an interrupted session leaves behind. They do not belong in a repository."""
CONFIGURED = ("pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml")
"""Files that configure pytest even if they are empty."""
EXAMPLES = """
  planguard init
  planguard init --ci github
  planguard init --from answers.jsonl
  planguard init --from cassettes/ --to app/answer_contract.py
"""
EXIT_CODES = {
    0: "everything is there; with --from, no example contradicts the contract that is there",
    1: "examples contradict the contract that is there",
    2: "the command itself is wrong",
    3: "a file cannot be read or written",
}


@click.command(epilog=epilog(EXAMPLES, EXIT_CODES))
@click.option("--ci", "service", type=click.Choice(list(HOMES)), help="Also write the files for this CI system.")
@click.option(
    "--from",
    "examples",
    type=ExistingPath(),
    metavar="PATH",
    multiple=True,
    help="Propose a contract and a first test from example answers: files, cassettes or folders; repeatable.",
)
@click.option(
    "--to",
    "target",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="With --from: the module to write.  [default: answer_contract.py]",
)
@field_option("found by the content")
def init(service: str | None, examples: tuple[Path, ...], target: Path | None, field: str | None) -> None:
    """Write what a first contract test needs, and show it: run it in the root folder of the project.

    It says how to add planguard to the project, which of its SDKs need a setting, and which cassettes it has. It asks
    no questions and never overwrites a file, so a second run changes nothing. With --from, the contract comes from
    example answers. If the contract already exists, the command reports what further examples contradict.
    """
    needs("--to", target, "--from", examples)
    needs("--field", field, "--from", examples)
    if examples:
        propose_from(examples, target or PROPOSED, field)
        return
    tests = Path("tests") if Path("tests").is_dir() else Path()
    files = [
        *_configuration(),
        NewFile(tests / "test_planguard.py", text_of("first_test")),
        *(ci_files(service, None) if service else []),
    ]
    write_all(files)
    say(_ignore())
    for line in findings(Path()):
        say(line)
    say("next: pytest")


def _configuration() -> list[NewFile]:
    """Return a pytest.ini if no file configures pytest. Otherwise pytest's own file decides."""
    if any(Path(name).is_file() for name in CONFIGURED) or _has_section("pyproject.toml", "tool.pytest"):
        return []
    if _has_section("tox.ini", "pytest") or _has_section("setup.cfg", "tool:pytest"):
        return []
    return [NewFile(Path("pytest.ini"), "[pytest]\n")]


def _has_section(file: str, section: str) -> bool:
    path = Path(file)
    if not path.is_file():
        return False
    text = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix != ".toml":
        return re.search(rf"(?m)^\[{re.escape(section)}\]", text) is not None
    try:
        return "pytest" in tomllib.loads(text).get("tool", {})
    except tomllib.TOMLDecodeError as error:
        raise RunError(f"{file}: is not TOML: got {error}; fix it first") from error


def _ignore() -> str:
    """Add unfinished cassettes to .gitignore, and return a line that reports it."""
    path = Path(".gitignore")
    try:
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        if IGNORED in text.splitlines():
            return f".gitignore: has {IGNORED} already"
        path.write_text(f"{text}{'' if text.endswith(chr(10)) or not text else chr(10)}{IGNORED}\n", encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RunError(f".gitignore: cannot be written: got {error}; add the line {IGNORED} yourself") from error
    return f".gitignore: {IGNORED} added (cassettes in the making)"


PROPOSED = Path("answer_contract.py")
"""The file for a proposed contract, unless --to names another."""
CASES = "cases.jsonl"
NAME = 40
"""Maximum number of characters of a schema's name, which comes from a cassette."""
LINE = 200
"""Maximum number of characters of a contradiction, which quotes an answer."""


def propose_from(paths: Sequence[Path], target: Path, field: str | None) -> None:
    """Write a proposed contract, its first test and labelled cases.

    If the module exists, report what the examples contradict.

    Raises:
        UsageError: no example is data, the module's name is not a Python name, or the module has no CONTRACT.
        RunError: a file cannot be read or written.
    """
    if target.suffix != ".py" or not target.stem.isidentifier():
        raise UsageError(
            f"--to is not a Python module: got {target}; name a file like {target.stem or 'answer'}_contract.py"
        )
    try:
        answers = example_answers(paths, field)
    except OSError as error:
        raise RunError(f"an example cannot be read: got {error}; check the path and its rights") from error
    if target.is_file():
        _write_cases(paths, target, field)
        _compare(answers, target)
        return
    answers, others = of_one_schema(answers)
    proposal = propose(answers, target.stem)
    write_all([NewFile(target, proposal.module), NewFile(target.with_name(f"test_{target.name}"), proposal.test)])
    _write_cases(paths, target, field)
    schema = f" of {one_line(answers[0].schema.name, NAME)}" if answers[0].schema else ""
    say(f"proposed from {count(len(answers), 'example')}{schema}{_left_out(others)}")
    if load_contracts((f"{target.as_posix()}:CONTRACT",))[0].check("{}").ok:
        say("nothing is required: no field is in every example, so {} is valid; name the files of one prompt")
    say(f"next: pytest {target.with_name(f'test_{target.name}').as_posix()}")


def _left_out(others: Sequence[GoodAnswer]) -> str:
    """Return how many answers the proposal leaves out, because their requests demand other schemas or none."""
    if not others:
        return ""
    names = dict.fromkeys(one_line(other.schema.name, NAME) for other in others if other.schema)
    listed = ", ".join([*names][:3]) + (", …" if len(names) > 3 else "") if names else "no schema"
    return f"; left out {count(len(others), 'answer')} to other requests ({listed})"


def _write_cases(paths: Sequence[Path], target: Path, field: str | None) -> None:
    """Write the inputs and accepted answers as labelled cases beside the module, if the examples have inputs."""
    (contract,) = load_contracts((f"{target.as_posix()}:CONTRACT",))
    cases = labelled_cases(paths, contract, field)
    if cases:
        write_all([NewFile(target.with_name(CASES), cases)])


def _compare(answers: Sequence[GoodAnswer], target: Path) -> None:
    (contract,) = load_contracts((f"{target.as_posix()}:CONTRACT",))
    lines = contradictions(contract, answers)
    verb = "contradict" if len(answers) != 1 else "contradicts"
    rules = count(len(lines), "rule") if lines else "nothing"
    say(f"{target.as_posix()}: is there already; {count(len(answers), 'example')} {verb} {rules}")
    for line in lines:
        say(f"  {one_line(line, LINE)}")
    click.get_current_context().exit(1 if lines else 0)
