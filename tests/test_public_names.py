"""The public surface: one list of names, documented, lazy, and closed to misspelling."""

import ast
import inspect
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import pytest_planguard

PACKAGE = Path(pytest_planguard.__file__).parent
TREE = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
PUBLIC = pytest_planguard.__all__

LOADED = """
import sys
before = set(sys.modules)
import pytest_planguard
dir(pytest_planguard), pytest_planguard.__version__, pytest_planguard.__all__
new = set(sys.modules) - before
print(*sorted(name for name in new if not name.partition(".")[0] in sys.stdlib_module_names))
"""


def typed_names() -> dict[str, str]:
    """Name → module, as type checkers read the facade; each must be a re-export, `import X as X`."""
    (block,) = [node for node in TREE.body if isinstance(node, ast.If)]
    assert ast.unparse(block.test) == "TYPE_CHECKING"
    names = {}
    for line in block.body:
        assert isinstance(line, ast.ImportFrom)
        (alias,) = line.names
        assert alias.asname == alias.name
        names[alias.name] = line.module or ""
    return names


def modules() -> Iterator[Path]:
    """Every module of the package."""
    return PACKAGE.rglob("*.py")


def test_all_places_list_the_same_names() -> None:
    """`__all__`, the table of homes, the imports for type checkers and `dir()` agree, and so do their modules."""
    homes = vars(pytest_planguard)["_HOME"]
    assert typed_names() == homes
    assert sorted(homes) == sorted(PUBLIC) == PUBLIC
    assert dir(pytest_planguard) == sorted([*PUBLIC, "__version__"])


@pytest.mark.parametrize("name", PUBLIC)
def test_every_name_loads_and_is_documented(name: str) -> None:
    """A public name has a docstring of its own, and knows itself by that name."""
    value = getattr(pytest_planguard, name)
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


def test_importing_the_package_loads_nothing_else() -> None:
    """No other module of ours, and nothing but the standard library, until a name is used."""
    done = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["pytest_planguard"]


def test_a_misspelt_name_is_an_attribute_error() -> None:
    """Like with any module; that type checkers see it too is held in tests/typing."""
    with pytest.raises(AttributeError, match="module 'pytest_planguard' has no attribute 'Contracts'"):
        assert pytest_planguard.Contracts  # type: ignore[attr-defined]


def test_the_lazy_lookup_is_hidden_from_type_checkers() -> None:
    """A module `__getattr__` that checkers can see makes every misspelt name type-check."""
    functions = [node.name for node in TREE.body if isinstance(node, ast.FunctionDef)]
    assert functions == ["__dir__"]
