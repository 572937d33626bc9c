"""The public surface: three lists of names, documented, lazy, and closed to misspelling."""

import ast
import inspect
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import pytest_planguard
import pytest_planguard.extend
import pytest_planguard.testing

from .support.one_item import in_one_item

PACKAGE = Path(pytest_planguard.__file__).parent
PUBLIC = (pytest_planguard, pytest_planguard.extend, pytest_planguard.testing)
EACH = pytest.mark.parametrize("module", PUBLIC, ids=lambda module: module.__name__)

LOADED = """
import sys
before = set(sys.modules)
import pytest_planguard, pytest_planguard.extend, pytest_planguard.testing
for module in (pytest_planguard, pytest_planguard.extend, pytest_planguard.testing):
    dir(module), module.__all__
pytest_planguard.__version__
new = set(sys.modules) - before
print(*sorted(name for name in new if not name.partition(".")[0] in sys.stdlib_module_names))
"""


def seen_by_checkers(module: ModuleType) -> list[ast.stmt]:
    """What type checkers see of a public module: the block for them, and nothing else that matters."""
    body = ast.parse(Path(module.__file__ or "").read_text(encoding="utf-8")).body
    assert [node for node in body if isinstance(node, ast.FunctionDef)] == []
    (block,) = [node for node in body if isinstance(node, ast.If)]
    assert ast.unparse(block.test) == "TYPE_CHECKING"
    return block.body


def typed_names(module: ModuleType) -> list[str]:
    """The names that type checkers read; each must be a re-export, `import X as X`."""
    lines = [node for node in seen_by_checkers(module) if isinstance(node, ast.ImportFrom)]
    assert all(alias.asname == alias.name for line in lines for alias in line.names)
    return [alias.name for line in lines for alias in line.names]


def modules() -> Iterator[Path]:
    """Every module of the package."""
    return PACKAGE.rglob("*.py")


@EACH
def test_type_checkers_and_run_time_agree(module: ModuleType) -> None:
    """The imports for type checkers, `__all__` and `dir()` name the same."""
    assert typed_names(module) == module.__all__
    others = ["__version__"] if module is pytest_planguard else []
    assert dir(module) == sorted([*module.__all__, *others])


def test_a_name_is_in_one_place() -> None:
    """No name is public twice, and none hides a part of the package."""
    names = [name for module in PUBLIC for name in module.__all__]
    assert len(names) == len(set(names))
    assert set(names) & {path.stem for path in PACKAGE.iterdir()} == set()


@in_one_item
@pytest.mark.parametrize(
    ("module", "name"),
    [(module, name) for module in PUBLIC for name in module.__all__],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_every_name_loads_and_is_documented(module: ModuleType, name: str) -> None:
    """A public name has a docstring of its own, and knows itself by that name."""
    value = getattr(module, name)
    assert value.__name__ == name
    assert vars(value).get("__doc__") if isinstance(value, type) else value.__doc__
    assert not (inspect.getdoc(value) or "").startswith(f"{name}("), "the docstring that dataclasses make up"


@pytest.mark.slow
def test_every_module_says_what_it_is() -> None:
    """Every module begins with a docstring of one to five lines."""
    lines = {str(path.relative_to(PACKAGE)): len(_docstring(path).splitlines()) for path in modules()}
    assert {path: n for path, n in lines.items() if not 1 <= n <= 5} == {}


def _docstring(path: Path) -> str:
    return ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""


def test_importing_the_public_modules_loads_nothing_else() -> None:
    """No other module of ours, and nothing but the standard library, until a name is used."""
    done = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [module.__name__ for module in PUBLIC]


@EACH
def test_a_misspelt_name_is_an_attribute_error(module: ModuleType) -> None:
    """Like with any module; that type checkers see it too is held in tests/typing."""
    with pytest.raises(AttributeError, match=f"module '{module.__name__}' has no attribute 'Contracts'"):
        assert module.Contracts


@EACH
def test_the_lazy_lookup_is_hidden_from_type_checkers(module: ModuleType) -> None:
    """A module `__getattr__` that checkers can see makes every misspelt name type-check."""
    assert [node.name for node in seen_by_checkers(module) if isinstance(node, ast.FunctionDef)] == ["__dir__"]
