"""No command runs a file of the checkout that nobody named."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
import yaml

from ..support.cassettes import MODELS, conversation

pytestmark = pytest.mark.slow

NAMES = (
    *(
        "yaml",
        "click",
        "rich",
        "jinja2",
        "deepdiff",
        "jsonschema_rs",
        "markdown_it",
        "pydantic",
        "json",
        "this",
        "typing",
    ),
    *(
        "brotli",
        "brotlicffi",
        "zstandard",
        "pyarrow",
        "compression",
        "orjson",
        "ujson",
        "simplejson",
        "email_validator",
        "numpy",
    ),
    *("sitecustomize", "usercustomize", "conftest", "app", "contracts", "pgx_ext", "planguard_ext", "vcr", "syrupy"),
)
"""Modules that planguard, its dependencies or Python look for, where they are there."""
VERBS = (
    ("check", "cassettes"),
    ("cassette", "secrets", "cassettes"),
    ("check", "plan.md"),
    ("diff", "cassettes", "cassettes"),
    ("report", "cassettes"),
    ("show", "cassettes/a.yaml"),
    ("lint", "plan.md"),
    ("cassette", "recover", "cassettes"),
    ("gate", "status"),
    ("plan", "check", "plan.md"),
)
RUN = """
import sys
from pytest_planguard.cli.main import planguard
for arguments in {calls!r}:
    try:
        planguard(arguments, prog_name="planguard")
    except SystemExit:
        pass
print("ended")
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout whose files leave a mark when they are imported, with a cassette, a plan and models."""
    folder = tmp_path / "checkout"
    (folder / "cassettes").mkdir(parents=True)
    for name in NAMES:
        (folder / f"{name}.py").write_text(f'open(r"{folder / name}.imported", "w").close()\n', "utf-8")
    (folder / "models.py").write_text(MODELS, "utf-8")
    recorded = {"version": 1, "interactions": conversation('{"name": "Ada", "age": 1}')}
    (folder / "cassettes" / "a.yaml").write_text(yaml.safe_dump(recorded), "utf-8")
    (folder / "plan.md").write_text("# Tasks\n\n- [ ] T001 write the store\n", "utf-8")
    return folder


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """An installed extension, and an installed module with a contract."""
    site = tmp_path / "site"
    info = site / "pgx-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: pgx\nVersion: 1.0\n", "utf-8")
    (info / "entry_points.txt").write_text("[planguard]\npgx = pgx_ext\n", "utf-8")
    tries = "try:\n    import brotli\nexcept ImportError:\n    pass\nimport yaml\n"
    (site / "pgx_ext.py").write_text(tries, "utf-8")
    (site / "trusted_contracts.py").write_text(tries + MODELS, "utf-8")
    return site


def imported(calls: Sequence[Sequence[str]], checkout: Path, site: Path) -> list[str]:
    """The files of the checkout that were imported by some commands."""
    script = site / "run.py"
    script.write_text(RUN.format(calls=[list(call) for call in calls]), "utf-8")
    done = subprocess.run([sys.executable, str(script)], cwd=checkout, capture_output=True, text=True, timeout=300)
    assert done.stdout.endswith("ended\n"), done.stderr
    assert "is a defect" not in done.stderr, done.stderr
    return sorted(path.stem for path in checkout.glob("*.imported"))


def test_no_verb_runs_a_file_of_the_checkout(checkout: Path, site: Path) -> None:
    """With an extension installed, which is imported from where it is installed."""
    assert imported(VERBS, checkout, site) == []


def test_a_contract_that_is_installed_brings_nothing_of_the_checkout(checkout: Path, site: Path) -> None:
    """What it tries to import where that is there is not looked for beside the cassettes."""
    calls = [("check", "cassettes", "-c", "trusted_contracts:Person"), ("check", "cassettes", "-c", "this:s")]
    assert imported(calls, checkout, site) == []


def test_a_file_or_a_module_that_is_named_is_imported(checkout: Path, site: Path) -> None:
    """A local `yaml.py` does not hide the installed one, whichever way the contract is named."""
    calls = [("check", "cassettes", "-c", "models:Person"), ("check", "cassettes", "-p", "app")]
    assert imported(calls, checkout, site) == ["app"]
