"""The codemod that moves modules rewrites made-up trees as it should."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

import pytest

pytest.importorskip("libcst", reason="tools/regroup needs libcst, which the group dev installs")

from tools.regroup import codemod
from tools.regroup.module_map import ModuleMap, read_map

P = "pytest_planguard"
MAP = ModuleMap(
    new_of={
        f"{P}.shop.till": f"{P}.shop.counter.cash_register",
        f"{P}.shop.apples": f"{P}.shop.goods.fruit",
        f"{P}.shop.pears": f"{P}.shop.goods.fruit",
    },
    folders={f"{P}.shop.counter": "Where one pays.", f"{P}.shop.goods": "What one buys."},
    first_lines={f"{P}.shop.goods.fruit": "Apples and pears."},
    names={(f"{P}.shop.pears", "_weigh"): "_weigh_pear"},
    moved_names={(f"{P}.shop.till", "Coin"): (f"{P}.shop.money", "Coin")},
)
TREE = {
    f"{P}/__init__.py": '"""A made-up package."""\n',
    f"{P}/shop/__init__.py": '"""The shop."""\n',
    f"{P}/shop/money.py": '"""Money."""\n\n\nclass Coin:\n    """One."""\n',
    f"{P}/shop/till.py": (
        '"""The till."""\n\nfrom __future__ import annotations\n\n'
        "from .apples import apple\nfrom .pears import pear\n\n\n"
        "def total():\n    return apple() + pear()\n"
    ),
    f"{P}/shop/apples.py": (
        '"""Apples."""\n\nfrom ..shop.money import Coin\n\n\ndef apple():\n    return _weigh()\n\n\n'
        "def _weigh():\n    return 1\n"
    ),
    f"{P}/shop/pears.py": (
        '"""Pears."""\n\nfrom .apples import apple\n\n\ndef pear():\n    return _weigh() + apple()\n\n\n'
        "def _weigh():\n    return 2\n"
    ),
    f"{P}/main.py": (
        '"""The door."""\n\nfrom .shop import till\n\nTOTAL = till.total()\nNAME = "pytest_planguard.shop.till"\n'
    ),
    "tests/__init__.py": "",
    "tests/shop/__init__.py": "",
    "tests/shop/test_till.py": f"from {P}.shop.till import total\n\n\ndef test_total():\n    assert total() == 4\n",
    "page.md": (
        "See `pytest_planguard.shop.pears` and `pytest_planguard/shop/till.py`; `pytest_planguard.shop.money` stays.\n"
    ),
}


@pytest.fixture
def moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The made-up tree after its package was regrouped."""
    _write(tmp_path, TREE)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run(["git", "add", "."], cwd=tmp_path, check=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(codemod, "read_map", lambda: MAP)
    codemod.move_room("shop")
    return tmp_path


def _write(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def test_a_moved_module_has_its_new_place_and_relative_imports(moved: Path) -> None:
    """It is at the new place alone, and imports from its siblings as that place must."""
    text = (moved / P / "shop" / "counter" / "cash_register.py").read_text(encoding="utf-8")
    assert "from ..goods.fruit import apple\nfrom ..goods.fruit import pear\n" in text
    assert not (moved / P / "shop" / "till.py").exists()
    assert (moved / P / "shop" / "counter" / "__init__.py").read_text(encoding="utf-8") == '"""Where one pays."""\n'


def test_a_joined_pair_is_one_module(moved: Path) -> None:
    """One docstring, all imports at the top, none of each other; the name that both used has become two."""
    text = (moved / P / "shop" / "goods" / "fruit.py").read_text(encoding="utf-8")
    assert text.startswith('"""Apples and pears."""\n')
    assert "from ..money import Coin" in text
    assert "import apple" not in text
    assert "def _weigh():\n    return 1" in text
    assert "def _weigh_pear():\n    return 2" in text
    assert "return _weigh_pear() + apple()" in text
    assert not (moved / P / "shop" / "apples.py").exists()
    assert not (moved / P / "shop" / "pears.py").exists()


def test_a_module_that_is_imported_as_such_is_called_by_its_new_name(moved: Path) -> None:
    """The import, its uses, and the string that names it."""
    text = (moved / P / "main.py").read_text(encoding="utf-8")
    assert "from .shop.counter import cash_register\n" in text
    assert "TOTAL = cash_register.total()" in text
    assert 'NAME = "pytest_planguard.shop.counter.cash_register"' in text


def test_tests_and_pages_follow(moved: Path) -> None:
    """The test of a module moves with it; a page names the new place, dotted or as a path."""
    text = (moved / "tests" / "shop" / "counter" / "test_cash_register.py").read_text(encoding="utf-8")
    assert f"from {P}.shop.counter.cash_register import total" in text
    page = (moved / "page.md").read_text(encoding="utf-8")
    fruit, till = "`pytest_planguard.shop.goods.fruit`", "`pytest_planguard/shop/counter/cash_register.py`"
    assert page == f"See {fruit} and {till}; `pytest_planguard.shop.money` stays.\n"


def test_the_regrouped_package_does_what_it_did(moved: Path) -> None:
    """It is imported in a process of its own, and its total is that of the tree before."""
    code = f"from {P}.main import TOTAL; print(TOTAL)"
    done = subprocess.run([sys.executable, "-c", code], cwd=moved, capture_output=True, text=True, check=True)
    assert done.stdout == "4\n"


SCRIPT = """\
from pytest_planguard.shop import pears as fruit, money
from pytest_planguard.shop.till import Coin, total  # two places now
from elsewhere import till

HINT = "see pytest_planguard.shop.till.total"
print(fruit.pear(), money, till, total(), Coin)
"""
REWRITTEN = """\
from pytest_planguard.shop.goods import fruit as fruit
from pytest_planguard.shop import money
from pytest_planguard.shop.money import Coin
from pytest_planguard.shop.counter.cash_register import total  # two places now
from elsewhere import till

HINT = "see pytest_planguard.shop.counter.cash_register.total"
print(fruit.pear(), money, till, total(), Coin)
"""


def test_a_users_script_imports_from_the_new_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names that went two ways are two imports; what is not ours keeps its name; folders are searched."""
    monkeypatch.setattr(codemod, "read_map", lambda: MAP)
    _write(tmp_path, {"one.py": SCRIPT, "more/two.py": SCRIPT})
    codemod.rewrite_scripts([tmp_path / "one.py", tmp_path / "more"])
    assert (tmp_path / "one.py").read_text(encoding="utf-8") == REWRITTEN
    assert (tmp_path / "more" / "two.py").read_text(encoding="utf-8") == REWRITTEN


def test_a_script_that_uses_no_old_name_is_left_alone(tmp_path: Path) -> None:
    """By the real map: the public names are where they were."""
    text = 'from pytest_planguard import Contract\n\nCONTRACT = Contract(None)  # "retry" is no module here\n'
    _write(tmp_path, {"app.py": text})
    codemod.rewrite_scripts([tmp_path / "app.py"])
    assert (tmp_path / "app.py").read_text(encoding="utf-8") == text


def test_joined_modules_that_use_one_name_for_two_things_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before anything is written, with what to do about it."""
    _write(tmp_path, TREE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(codemod, "read_map", lambda: ModuleMap(MAP.new_of, MAP.folders, MAP.first_lines, {}, {}))
    with pytest.raises(SystemExit, match=r"rename one of each pair in names\.txt(?s:.*)pears:_weigh is defined"):
        codemod.move_room("shop")
    assert (tmp_path / P / "shop" / "pears.py").read_text(encoding="utf-8") == TREE[f"{P}/shop/pears.py"]


def test_the_map_leads_to_modules_that_exist() -> None:
    """An old script is rewritten to imports that work."""
    root = Path(codemod.__file__).parents[2]
    targets = {new.replace(".", "/") for new in read_map().new_of.values()}
    gone = [new for new in sorted(targets) if not (root / f"{new}.py").is_file() and not (root / new).is_dir()]
    assert gone == []


def test_renamed_names_exist_where_the_map_says() -> None:
    """A public class or function that has a new name can be imported by it."""
    modules = read_map()
    public = {place: new for place, new in modules.names.items() if not new.startswith("_") and not new.isupper()}
    missing = [
        f"{modules.new_of[module]}.{new}"
        for (module, _), new in public.items()
        if not hasattr(import_module(modules.new_of[module]), new)
    ]
    assert public
    assert missing == []
