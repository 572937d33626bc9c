"""`planguard ci`: write the files of a build, which are in `examples/ci`. Existing files of a project stay."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from ...errors import RunError, UsageError
from ...printable import one_line
from ..commands import epilog
from ..output import say

if TYPE_CHECKING:
    from collections.abc import Iterable


class Done(StrEnum):
    """The result for a file."""

    WRITTEN = "written"
    SAME = "is there already"
    OTHER = "exists with other content: nothing was written"


@dataclass(frozen=True, slots=True)
class NewFile:
    """A file that a command puts into a project."""

    path: Path
    text: str

    def write(self) -> Done:
        """Write the file if it doesn't exist. Raises RunError if it can't be written or checked."""
        try:
            if self.path.exists():
                return Done.SAME if self.path.read_text(encoding="utf-8") == self.text else Done.OTHER
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.write_text(self.text, encoding="utf-8", newline="\n")
        except (OSError, UnicodeDecodeError) as error:
            raise RunError(f"{self.path}: cannot be written: got {error}; check the path and its rights") from error
        return Done.WRITTEN


def write_all(files: Iterable[NewFile]) -> list[NewFile]:
    """Write the missing files, print a line for each, and return those that exist with other content."""
    others = []
    for file in files:
        done = file.write()
        say(f"{one_line(file.path.as_posix(), 200)}: {done}")
        others += [file] if done is Done.OTHER else []
    return others


def text_of(name: str) -> str:
    """Return the text of a shipped file that is written into a project."""
    return (Path(__file__).parent / "files" / f"{name}.txt").read_text(encoding="utf-8")


EXAMPLE = "pip install -e . pytest-planguard"
"""The line in the shipped files, which is replaced for a project."""
GROUPS = ("dev", "test", "tests")
"""Names of dependency groups and extras with the requirements of tests."""
REQUIREMENTS = ("requirements.txt", "requirements-dev.txt", "requirements-test.txt", "dev-requirements.txt")


def install_command(folder: Path) -> str:
    """Return the shell command that installs the project in this folder, its test dependencies and planguard.

    A lock file of uv or poetry comes first, then pyproject.toml or setup.py, then files of requirements. Without any,
    only planguard is installed, as for a project from `planguard init`.
    """
    if (folder / "uv.lock").is_file():
        locked = "uv export --quiet --frozen --all-groups --no-hashes --output-file .locked.txt"
        return f"pip install uv && {locked} && pip install -r .locked.txt pytest-planguard"
    if (folder / "poetry.lock").is_file():
        return "pip install poetry && POETRY_VIRTUALENVS_CREATE=false poetry install && pip install pytest-planguard"
    words = ["pip install", *_project(folder), *_requirements(folder), "pytest-planguard"]
    newer = ["pip install --upgrade pip &&"] if any(word.startswith("--group") for word in words) else []  # pip 25.1
    return " ".join([*newer, *words])


def _project(folder: Path) -> Iterator[str]:
    """Yield `-e .` with the extra and group for tests; nothing if pyproject.toml holds only settings."""
    data = pyproject(folder)
    extras = [name for name in table(table(data, "project"), "optional-dependencies") if name in GROUPS]
    if "project" in data or "build-system" in data or (folder / "setup.py").is_file():
        yield f"-e {quote('.[' + ','.join(extras) + ']')}" if extras else "-e ."
    yield from (f"--group {name}" for name in table(data, "dependency-groups") if name in GROUPS)


def _requirements(folder: Path) -> Iterator[str]:
    yield from (f"-r {name}" for name in REQUIREMENTS if (folder / name).is_file())


def pyproject(folder: Path) -> dict[str, Any]:
    """Return the content of pyproject.toml; {} if it can't be read, which a build will report."""
    try:
        return tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return {}


def table(data: object, name: str) -> dict[str, Any]:
    """Return the table of this name inside another table; {} if it is missing."""
    value = data.get(name) if isinstance(data, dict) else None
    return value if isinstance(value, dict) else {}


CONTRACT = "app/contracts.py:TICKET"
"""The contract in the shipped files, which a project replaces with its own."""
HOMES = {
    "github": {
        "github/action.yml": ".github/actions/planguard/action.yml",
        "github/gate.py": ".github/actions/planguard/gate.py",
        "github/workflow.yml": ".github/workflows/planguard.yml",
    },
    "gitlab": {"gitlab/gitlab-ci.yml": ".gitlab-ci.yml"},
    "pre-commit": {"pre-commit/.pre-commit-config.yaml": ".pre-commit-config.yaml"},
}
"""The destination of each file of a service, from the root folder of a project."""
_WHERE = re.compile(r"[\w./-]+:\w+")
"""A name that is safe in a file that a build runs: "app/contracts.py:TICKET"; not "x; rm -rf ."."""
EXAMPLES = """
  planguard ci github
  planguard ci gitlab --contract app/contracts.py:TICKET
  planguard ci pre-commit
"""
EXIT_CODES = {
    0: "every file is there",
    2: "the command itself is wrong",
    3: "a file exists with other content; it is kept, and the new content is printed",
}


@click.command(epilog=epilog(EXAMPLES, EXIT_CODES))
@click.argument("service", type=click.Choice(list(HOMES)), metavar="github|gitlab|pre-commit")
@click.option(
    "-c",
    "--contract",
    metavar="WHERE",
    help=f"What judges the cassettes, as module:NAME or file.py:NAME.  [default: {CONTRACT}, to be edited]",
)
def ci(service: str, contract: str | None) -> None:
    """Write the files that gate pull requests: run it in the root folder of the project.

    They install the project as its files say: uv.lock, poetry.lock, pyproject.toml, setup.py or requirements.txt.
    Existing files are never overwritten. None of the files uses a secret, so pull requests from forks are gated as
    well. The first pull request, without cassettes and a list of known failures, passes and says so.
    """
    others = write_all(ci_files(service, contract))
    if others:
        for file in others:
            say(f"\n# {file.path.as_posix()} would be:\n{file.text}", nl=False)
        raise RunError("merge what is printed above by hand, or remove the file and run this command again")
    if contract is None and service != "github":
        say(f"next: put your contract in the place of {CONTRACT}")
    elif contract is None:
        say(f"next: put your contract in the place of {CONTRACT} in {HOMES['github']['github/workflow.yml']}")


def ci_files(service: str, contract: str | None) -> list[NewFile]:
    """Return the files of a service, with the contract in them.

    Raises UsageError for a text that is not the name of a contract, and RunError if the package lacks the files.
    """
    folder = _folder()
    if contract is not None and _WHERE.fullmatch(contract) is None:
        raise UsageError(
            f"--contract {contract!r} is neither module:NAME nor file.py:NAME; write app/contracts.py:TICKET"
        )
    install = install_command(Path())
    return [
        NewFile(Path(home), _filled((folder / source).read_text(encoding="utf-8"), contract or CONTRACT, install))
        for source, home in HOMES[service].items()
    ]


def _filled(text: str, contract: str, install: str) -> str:
    """Return the text of a shipped file with the project's contract and install command."""
    return text.replace(CONTRACT, contract).replace(EXAMPLE, install)


def _folder() -> Path:
    """Return the folder of the files: beside this module in a wheel, in examples/ci in a checkout."""
    here = Path(__file__).parent / "ci_files"
    folder = here if here.is_dir() else Path(__file__).parents[3] / "examples" / "ci"
    if not folder.is_dir():
        raise RunError(f"{here}: the files of `planguard ci` are missing; install pytest-planguard again")
    return folder
