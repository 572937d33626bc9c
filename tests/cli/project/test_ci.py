"""`planguard ci`: the files that ship, with the project's contract in them; nothing is overwritten."""

from pathlib import Path

import pytest
import yaml

from pytest_planguard.cli.project.ci import CONTRACT, HOMES, install_command

from ...support.commands import run
from ...support.paths import ROOT


@pytest.mark.parametrize("service", HOMES)
def test_the_files_are_written_and_stay(here: Path, service: str) -> None:
    """All of them, with the contract in place of the example's; a second run writes nothing."""
    done = run("ci", service, "-c", "app/models.py:ORDER")
    homes = HOMES[service].values()
    assert (done.exit_code, done.stdout) == (0, "".join(f"{home}: written\n" for home in homes))
    texts = [(here / home).read_text() for home in homes]
    assert any("app/models.py:ORDER" in text for text in texts)
    assert not any(CONTRACT in text for text in texts)
    assert all(yaml.safe_load(text) for home, text in zip(homes, texts, strict=True) if not home.endswith(".py"))
    again = run("ci", service, "-c", "app/models.py:ORDER")
    assert (again.exit_code, again.stdout) == (0, "".join(f"{home}: is there already\n" for home in homes))


def test_without_a_contract_it_says_where_one_belongs(here: Path) -> None:
    """The file holds the example's until somebody edits it."""
    assert run("ci", "gitlab").stdout.endswith(f"next: put your contract in the place of {CONTRACT}\n")
    assert run("ci", "github").stdout.endswith(f"of {CONTRACT} in .github/workflows/planguard.yml\n")
    assert (here / ".github/actions/planguard/gate.py").is_file()


def test_a_file_that_is_there_stays_and_what_would_be_is_printed(here: Path) -> None:
    """To be merged by hand; exit code 3."""
    (here / ".gitlab-ci.yml").write_text("mine: {}\n")
    done = run("ci", "gitlab")
    assert done.exit_code == 3
    assert ".gitlab-ci.yml: exists with other content: nothing was written\n" in done.stdout
    assert "\n# .gitlab-ci.yml would be:\n# A job for .gitlab-ci.yml." in done.stdout
    advice = "merge what is printed above by hand, or remove the file and run this command again"
    assert done.stderr == f"planguard: {advice}\n"
    assert (here / ".gitlab-ci.yml").read_text() == "mine: {}\n"


@pytest.mark.usefixtures("here")
def test_what_is_no_contract_never_reaches_a_file_that_is_run() -> None:
    """A build executes these files."""
    done = run("ci", "github", "-c", "x; touch hit")
    assert done.exit_code == 2
    said = "--contract 'x; touch hit' is neither module:NAME nor file.py:NAME; write app/contracts.py:TICKET"
    assert said in done.stderr
    assert not list(Path().rglob("*"))


def test_every_file_that_ships_has_a_home() -> None:
    """A new file of the examples is written by the command, too."""
    folder = ROOT / "examples" / "ci"
    shipped = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert shipped == {source for homes in HOMES.values() for source in homes}


PROJECT = '[project]\nname = "a"\n'


@pytest.mark.parametrize(
    ("files", "command"),
    [
        ({}, "pip install pytest-planguard"),
        ({"pyproject.toml": "[tool.ruff]\n"}, "pip install pytest-planguard"),
        ({"pyproject.toml": "no TOML"}, "pip install pytest-planguard"),
        ({"pyproject.toml": PROJECT}, "pip install -e . pytest-planguard"),
        ({"setup.py": ""}, "pip install -e . pytest-planguard"),
        (
            {"pyproject.toml": f"{PROJECT}[project.optional-dependencies]\ntest = []\nplots = []\n"},
            "pip install -e '.[test]' pytest-planguard",
        ),
        (
            {"pyproject.toml": f"{PROJECT}[dependency-groups]\ndev = []\ndocs = []\n"},
            "pip install --upgrade pip && pip install -e . --group dev pytest-planguard",
        ),
        (
            {"requirements.txt": "", "requirements-dev.txt": ""},
            "pip install -r requirements.txt -r requirements-dev.txt pytest-planguard",
        ),
    ],
)
def test_the_project_is_installed_as_its_files_say(here: Path, files: dict[str, str], command: str) -> None:
    """In the workflow and in the job; what is no project is not installed."""
    for name, text in files.items():
        (here / name).write_text(text)
    assert run("ci", "github", "-c", "a:B").exit_code == run("ci", "gitlab", "-c", "a:B").exit_code == 0
    workflow = yaml.safe_load((here / ".github/workflows/planguard.yml").read_text())
    job = yaml.safe_load((here / ".gitlab-ci.yml").read_text())["prompts"]
    assert [step["run"] for step in workflow["jobs"]["contracts"]["steps"] if "pip" in step.get("run", "")] == [command]
    assert job["script"][0] == command


UV = (
    "pip install uv && uv export --quiet --frozen --all-groups --no-hashes --output-file .locked.txt"
    " && pip install -r .locked.txt pytest-planguard"
)
POETRY = "pip install poetry && POETRY_VIRTUALENVS_CREATE=false poetry install && pip install pytest-planguard"


@pytest.mark.parametrize(("lock", "command"), [("uv.lock", UV), ("poetry.lock", POETRY)])
def test_a_lock_file_decides(here: Path, lock: str, command: str) -> None:
    """Beside a pyproject.toml, as it is in such projects."""
    (here / "pyproject.toml").write_text(PROJECT)
    (here / lock).write_text("")
    assert run("ci", "gitlab", "-c", "a:B").exit_code == 0
    assert yaml.safe_load((here / ".gitlab-ci.yml").read_text())["prompts"]["script"][0] == command


@pytest.mark.parametrize("name", ["requirements-test.txt", "dev-requirements.txt"])
def test_other_names_of_requirements_are_known(here: Path, name: str) -> None:
    """Each is installed, after the project itself with its extras."""
    (here / name).touch()
    extras = "[project.optional-dependencies]\ntests = []\ndev = []\n"
    (here / "pyproject.toml").write_text(f"{PROJECT}{extras}[dependency-groups]\ntest = []\n")
    command = f"pip install --upgrade pip && pip install -e '.[tests,dev]' --group test -r {name} pytest-planguard"
    assert install_command(here) == command
