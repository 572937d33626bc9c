"""What the probe of a tree takes for the tree's own code, and what that code may reach."""

from __future__ import annotations

import functools
import importlib
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from pytest_planguard import Contract
from pytest_planguard.plugin.probe import (
    Probe,
    _plain,
    _refuse,
    code_digest,
    contract_facts,
    file_in,
    search_first,
    strangers,
)
from pytest_planguard.runs.gate.tree_facts import Question

from ..support.one_item import in_one_item

RULES = {
    "probed_rules.py": """
import probed_wide
from probed_deep import LIMIT, longest

class Polite:
    def __call__(self, answer):
        return []

def short(most, answer):
    return [] if len(answer) < min(most, LIMIT) else ["too long"]
""",
    "probed_deep.py": "LIMIT = 9\ndef longest(): pass\n",
    "probed_wide.py": "import probed_below\n",
    "probed_below.py": "",
    "probed_apart.py": "",
}


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module of rules in a tree of its own, whose other modules it needs but for one."""
    monkeypatch.syspath_prepend(tmp_path)
    for name, text in RULES.items():
        (tmp_path / name).write_text(text)
        monkeypatch.delitem(sys.modules, name.removesuffix(".py"), raising=False)
    importlib.invalidate_caches()
    for name in RULES:
        monkeypatch.setitem(sys.modules, name[:-3], importlib.import_module(name[:-3]))
    return sys.modules["probed_rules"]


NEEDED = ["probed_below.py", "probed_deep.py", "probed_rules.py", "probed_wide.py"]


def test_the_files_of_a_contract_are_those_of_its_rules_and_what_these_import(rules: Any, tmp_path: Path) -> None:
    """A function, an object and a function with some arguments filled in are rules of the file that defines them."""
    found = contract_facts(Contract(None, rules=[rules.longest]), (), tmp_path)
    assert list(found.code) == ["probed_deep.py"]
    for rule in (rules.short, rules.Polite(), functools.partial(rules.short, 3)):
        found = contract_facts(Contract(None, rules=[rule]), (), tmp_path)
        assert list(found.code) == NEEDED
        assert found.code["probed_deep.py"] == code_digest(tmp_path / "probed_deep.py")
    assert contract_facts(Contract({"type": "object"}), (), tmp_path).code == {}


def test_a_rule_has_the_name_that_its_code_gives_it(rules: Any, tmp_path: Path) -> None:
    """An object has its type and place instead, since two of a type are two rules."""
    made = [rules.short, rules.Polite(), functools.partial(rules.short, 3), rules.Polite()]
    found = contract_facts(Contract(None, rules=made), (), tmp_path)
    assert [part.about for part in found.parts if part.kind == "rule"] == ["short", "Polite 2", "partial 3", "Polite 4"]


def test_an_answer_is_accepted_or_refused_and_changed_ones_are_tried() -> None:
    """Mutants of the accepted answers are refused answers too."""
    contract = Contract({"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}})
    found = contract_facts(contract, ['{"n": 1}', '{"n": "ü"}', "no JSON"], Path("/"))
    assert found.accepted == ('{"n": 1}',)
    assert found.refused[:2] == ('{"n": "ü"}', "no JSON")
    assert "{}" in found.refused[2:]


def test_only_so_many_answers_are_checked() -> None:
    """200 answers tell what a contract is like, and 20 of the good ones are changed."""
    contract = Contract({"type": "integer"})
    found = contract_facts(contract, [str(number) for number in range(300)], Path("/"))
    assert (found.accepted[0], found.accepted[-1], len(found.accepted)) == ("0", "199", 200)
    assert len(found.refused) <= 400


def test_a_digest_is_of_the_code_alone(tmp_path: Path) -> None:
    """Comments, empty lines and layout make no difference; a changed value does, and so does code that is no Python."""

    def digest(text: str) -> str:
        (tmp_path / "a.py").write_text(text)
        return code_digest(tmp_path / "a.py")

    assert digest("LIMIT = 1\n") == digest("# the most\n\n\nLIMIT  =  (1)  # one\n")
    assert digest("LIMIT = 1\n") != digest("LIMIT = 2\n")
    assert digest("LIMIT =\n") != digest("LIMIT =  \n")
    assert digest("") != digest("LIMIT =\n")
    assert {len(digest(text)) for text in ("", "LIMIT = 1", "LIMIT =")} == {16}
    assert code_digest(tmp_path / "none.py") == "e3b0c44298fc1c14"  # of no bytes


def module(file: object) -> ModuleType:
    """A module from a file."""
    made = ModuleType("made")
    made.__file__ = file  # type: ignore[assignment]
    return made


def test_a_file_belongs_to_the_tree_unless_it_is_installed_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment within the tree is not part of it."""
    tree = Path("/tree")
    assert file_in(module("/tree/pkg/a.py"), tree) == Path("/tree/pkg/a.py")
    for other in ("/tree2/a.py", "/tree/lib/site-packages/a.py", None, 7):
        assert file_in(module(other), tree) is None
    assert file_in(None, tree) is None
    monkeypatch.setattr(sys, "prefix", "/tree/.venv")
    assert file_in(module("/tree/.venv/lib/a.py"), tree) is None


def test_modules_of_the_other_tree_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are named in order; planguard's own may come from anywhere."""
    for name in ("zz_app", "aa_app", "pytest_planguard_more"):
        monkeypatch.setitem(sys.modules, name, module(f"/other/{name}.py"))
    assert strangers("/other") == ("aa_app", "zz_app")
    assert strangers("/else") == strangers("") == ()


def test_facts_of_a_tree_say_that_a_module_is_from_the_other_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """One is named: the facts would describe the wrong tree."""
    for name in ("zz_app", "aa_app"):
        monkeypatch.setitem(sys.modules, name, module(f"/other/{name}.py"))
    found = Probe(Question(collect=False, elsewhere="/other"), Path("/tree")).facts()
    assert found.problems == ("aa_app was imported from the other tree: /other",)
    assert Probe(Question(collect=False), Path("/tree")).facts().problems == ()


def test_a_contract_that_cannot_be_loaded_is_a_problem() -> None:
    """The others keep their number; the message has at most 200 characters."""
    contracts = (f"{__name__}:{'MISSING' * 60}", f"{__name__}:MADE")
    found = Probe(Question(contracts, collect=False), Path(__file__).parent).facts()
    assert [len(problem) for problem in found.problems] == [200]
    assert "MISSINGMISSING" in found.problems[0]
    assert [(label, one.name) for label, one in found.contracts.items()] == [("-c 2", "made")]


MADE = Contract({"type": "integer"}, name="made")


def test_a_collection_error_is_a_problem() -> None:
    """The last line of it says why; an error of the whole collection has no place."""
    probe = Probe(Question(collect=False), Path("/tree"))
    for node, outcome, text in (
        ("test_a.py", "failed", "Traceback\n  …\nE   ImportError: no app \n"),
        ("", "failed", "x" * 300),
        ("test_b.py", "passed", ""),
    ):
        probe.pytest_collectreport(pytest.CollectReport(node, outcome, text, []))  # type: ignore[arg-type]
    assert probe.facts().problems == (
        "test_a.py cannot be collected: E   ImportError: no app",
        f"the tests cannot be collected: {'x' * 200}",
    )


def test_paths_of_the_tree_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """In their order, and each once."""
    monkeypatch.setattr(sys, "path", ["/b", "/z"])
    search_first(("/a", "/b", "/c"), Path("/tree"), "")
    assert sys.path == ["/a", "/c", "/b", "/z"]


def test_an_editable_installation_of_the_other_tree_leads_to_this_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its packages are the same ones in this tree; other installations stay as they are."""
    monkeypatch.setattr(sys, "path", [])
    mapping = {"app": "/other/src/app", "lib": "/elsewhere/lib"}
    same = dict(mapping)
    monkeypatch.setitem(sys.modules, "__editable___app_finder", SimpleNamespace(MAPPING=mapping))
    monkeypatch.setitem(sys.modules, "__editable___none_finder", SimpleNamespace(MAPPING=None))
    monkeypatch.setitem(sys.modules, "no_finder", SimpleNamespace(MAPPING=same))
    search_first((), Path("/tree"), "")
    assert mapping == same
    search_first((), Path("/tree"), "/other")
    assert mapping == {"app": "/tree/src/app", "lib": "/elsewhere/lib"}
    assert same == {"app": "/other/src/app", "lib": "/elsewhere/lib"}


@in_one_item
@pytest.mark.parametrize(
    ("event", "arguments", "refused"),
    [
        ("socket.connect", (None, ("api.example.com", 443)), True),
        ("socket.sendto", (None, ("10.0.0.1", 53)), True),
        ("socket.sendmsg", (None, ("10.0.0.1", 53)), True),
        ("socket.getaddrinfo", ("api.example.com", 443), True),
        ("socket.connect", (None, ("127.0.0.1", 443)), False),
        ("socket.connect", (None, ("::1", 443, 0, 0)), False),
        ("socket.getaddrinfo", ("localhost", 443), False),
        ("socket.getaddrinfo", (None, 443), False),
        ("socket.connect", (None, "/run/x.sock"), False),
        ("socket.sendmsg", (None, None), False),
        ("socket.bind", (None, ("10.0.0.1", 53)), False),
        ("open", ("/x", "r", 0), False),
    ],
)
def test_imported_code_reaches_no_other_machine(event: str, arguments: tuple[object, ...], refused: bool) -> None:
    """A lookup, a connection and a datagram are refused, unless they stay on this machine."""
    if not refused:
        _refuse(event, arguments)
        return
    with pytest.raises(OSError, match="code of a tree is imported without network") as error:
        _refuse(event, arguments)
    assert str(error.value) == f"{event}: code of a tree is imported without network"


@in_one_item
@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (None, None),
        (True, True),
        (2, 2),
        (0.5, 0.5),
        ("a", "a"),
        (["b", "a"], ["a", "b"]),
        (("b", 1), ["1", "b"]),
        ({"c", "b", "a"}, ["a", "b", "c"]),
        (frozenset({"b", "a"}), ["a", "b"]),
        (Path("/x/y"), "/x/y"),
        (object(), "object"),
        ({"a": 1}, "dict"),
    ],
)
def test_a_setting_is_written_so_that_two_trees_can_be_compared(value: object, plain: object) -> None:
    """A set has another order in each process, and an object another address."""
    assert _plain(value) == plain
