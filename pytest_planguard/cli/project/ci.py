"""`planguard ci`: write the files of a build, which ship with the package."""

from __future__ import annotations

import re
from pathlib import Path

import click

from ...errors import RunError, UsageError
from ..framework.output import say
from ..framework.shared_options import epilog
from .installing import EXAMPLE, install_command
from .new_files import NewFile, write_all

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
