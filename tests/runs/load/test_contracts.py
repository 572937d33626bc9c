"""`--contract`: what it accepts, and what it says where it cannot."""

import sys
from pathlib import Path

import pytest

from pytest_planguard.errors import UsageError
from pytest_planguard.runs.load.contracts import load_contracts, load_extensions

from ...support.cassettes import MODELS, write_models


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The path of a module with contracts, as a user in its folder would write it."""
    write_models(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", list(sys.path))
    return "models.py"


@pytest.mark.parametrize("spec", ["models.py:Person", "models.py:PERSON", "models.py:Nested.PERSON", "models_2:Person"])
def test_a_contract_or_a_model_in_a_file_or_a_module(models: str, spec: str) -> None:
    """A file relative to the working directory and a module both work; a pydantic model becomes its own contract."""
    Path("models_2.py").write_text(MODELS)
    (contract,) = load_contracts([spec])
    assert contract.name == "Person"
    assert contract.check('{"name": "Ada", "age": 36}').ok


def test_a_file_of_a_package_may_import_its_neighbours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file inside a package is imported by its dotted name, so relative imports in it work."""
    package = tmp_path / "shop_package" / "models"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package.parent / "__init__.py").touch()
    (package / "base.py").write_text(MODELS)
    (package / "person.py").write_text("from .base import Person\n")
    monkeypatch.chdir(tmp_path)
    (contract,) = load_contracts(["shop_package/models/person.py:Person"])
    assert contract.name == "Person"


def test_auto_means_no_contract_of_the_users_own() -> None:
    """Nothing named, or the word auto, leaves the choice to the requests."""
    assert load_contracts([]) == load_contracts(["auto"]) == ()


def test_extract_is_the_users_choice(models: str) -> None:
    """--extract decides for models and contracts alike."""
    for spec in ("models.py:Person", "models.py:PERSON"):
        (whole,) = load_contracts([spec], "whole")
        (embedded,) = load_contracts([spec], "embedded")
        fenced = '```json\n{"name": "Ada", "age": 36}\n```'
        assert not whole.check(fenced).ok
        assert embedded.check(fenced).ok


def test_extract_changes_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A contract from a module keeps what it demands beside its schema: a call before the answer, the judged file."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", list(sys.path))
    words = "Contract, called, file; PLAN = Contract(dict, judged=file('plan.json'), calls=called('Bash', 'check'))"
    Path("demands.py").write_text(f"from pytest_planguard import {words}\n")
    (own,), (whole,) = load_contracts(["demands.py:PLAN"]), load_contracts(["demands.py:PLAN"], "whole")
    assert (own.extract, whole.extract) == ("embedded", "whole")
    kept = ("schema", "judged", "part", "calls", "name", "format")
    assert [getattr(whole, name) for name in kept] == [getattr(own, name) for name in kept]
    assert whole.digest != own.digest == load_contracts(["demands.py:PLAN"])[0].digest


@pytest.mark.parametrize(
    ("specs", "said"),
    [
        (["auto", "models.py:Person"], "--contract auto takes the schema from the requests; leave out the other 1"),
        (["models.py"], "expected module:NAME, path/file.py:NAME, or auto; got no ':'."),
        (["models.py:"], "expected module:NAME, path/file.py:NAME, or auto; got no name after ':'."),
        ([":NAME"], "expected module:NAME, path/file.py:NAME, or auto; got nothing before ':'."),
        (["gone.py:Person"], "there is no file gone.py"),
        (["models.py:Persn"], "models.py has no 'Persn'. Did you mean 'Person'?"),
        (["no.such.module:X"], "no.such.module does not import: ModuleNotFoundError"),
        (["broken.py:X"], "broken.py does not import: ZeroDivisionError: division by zero"),
        (["leaves.py:X"], "leaves.py does not import: SystemExit: 3"),
        (
            ["models.py:NUMBER"],
            "as a dict, or None: got a int; give one of these",
        ),
    ],
)
def test_what_cannot_be_loaded_is_said(models: str, specs: list[str], said: str) -> None:
    """Each mistake names the spec, what was seen, and what to write."""
    Path("broken.py").write_text("X = 1 / 0\n")
    Path("leaves.py").write_text("raise SystemExit(3)\n")
    with pytest.raises(UsageError) as caught:
        load_contracts(specs)
    assert said in str(caught.value)
    assert str(caught.value).startswith("--contract ")


def test_an_extension_that_does_not_import_is_named() -> None:
    """`-p` names its module and the error."""
    with pytest.raises(UsageError, match=r"^-p no_such_extension: no_such_extension does not import"):
        load_extensions(["no_such_extension"])


@pytest.mark.parametrize(("name", "what"), [("NOTHING", "None"), ("make", "a function"), ("sys", "a module")])
def test_what_cannot_be_a_contract_is_refused(models: str, name: str, what: str) -> None:
    """None would accept every answer, and a function or a module is a slip of the pen."""
    Path("slips.py").write_text("import sys\nNOTHING = None\ndef make(): ...\n")
    with pytest.raises(UsageError, match=f"--contract slips.py:{name}: that is {what}; name a Contract"):
        load_contracts([f"slips.py:{name}"])


def test_an_installed_package_registers_by_its_entry_point(tmp_path, monkeypatch):
    """A package that names a module in the group `planguard` needs no -p: its constraint type is known."""
    info = tmp_path / "shouting-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: shouting\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[planguard]\nshouting = shouting_rules\n", encoding="utf-8")
    (tmp_path / "shouting_rules.py").write_text("LOADED = []\nLOADED.append(1)\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    load_extensions([])
    assert sys.modules["shouting_rules"].LOADED == [1]

    (info / "entry_points.txt").write_text("[planguard]\nshouting = shouting_gone\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"^the installed extension 'shouting'"):
        load_extensions([])


def test_the_working_directory_never_hides_what_is_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name given by -c is looked for in the working directory last: its `this.py` is not the standard library's."""
    (tmp_path / "this.py").write_text("raise SystemExit('run from the checkout')")
    (tmp_path / "app_of_mine.py").write_text(MODELS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", ["", *sys.path])
    monkeypatch.delitem(sys.modules, "this", raising=False)
    (contract,) = load_contracts(["app_of_mine:Person"])
    assert contract.name == "Person"
    load_extensions(["this"])
    assert sys.path[-1] == str(tmp_path)
    assert "" not in sys.path
