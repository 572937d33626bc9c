"""The API reference, from docstrings: each public name with its signature, its fields and its methods."""

from __future__ import annotations

import ast
import enum
import inspect
import re
import textwrap
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType

MODULES = ("pytest_planguard", "pytest_planguard.extend", "pytest_planguard.testing")
_HEAD = """# Public names

Three modules are public. Import these names from them; everything else may move without notice.
"""


def names_page() -> str:
    """Return the page of all three modules."""
    return "\n".join([_HEAD, *(line for name in MODULES for line in _module(import_module(name)))])


def fields_of(cls: type) -> Mapping[str, str]:
    """Return the fields of a class with the docstring below each; those of its bases come first."""
    own: dict[str, str] = {}
    for base in reversed(cls.__mro__[:-1]):
        if base.__module__.startswith("pytest_planguard"):
            own |= dict(_annotated(base))
    return own


def _annotated(cls: type) -> Iterator[tuple[str, str]]:
    body = ast.parse(textwrap.dedent(inspect.getsource(cls))).body[0]
    assert isinstance(body, ast.ClassDef)
    for node, below in zip(body.body, [*body.body[1:], ast.Pass()], strict=True):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id[0] != "_":
            said = below.value.value if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant) else ""
            yield node.target.id, f"`{ast.unparse(node.annotation)}`. {' '.join(str(said).split())}".strip()


def _module(module: ModuleType) -> Iterator[str]:
    yield from (f"## {module.__name__}", "")
    public = [getattr(other, name) for other in map(import_module, MODULES) for name in other.__all__]
    values = [getattr(module, name) for name in module.__all__]
    listed = Path(module.__file__ or "").read_text(encoding="utf-8").partition("\n    __all__")[0]
    for topic, name in re.findall(r"(?m)^    # ([A-Z].*)|^    from \S+ import (\w+)", listed):
        if topic:
            yield from (f"### {topic}", "")
        else:
            yield from _entry(name, getattr(module, name))
    yield from ("### Returned values", "", "You get these from the functions and methods above.", "")
    for cls in dict.fromkeys(cls for value in values for cls in _returned(value) if cls not in public):
        yield from (f"#### `{cls.__name__}`", "", _docstring(cls), "", *_members(cls))


def _returned(value: object) -> Iterator[type]:
    """Yield planguard's classes that a function returns, or the methods of a class."""
    if inspect.isclass(value):
        for name, member in vars(value).items():
            if name[0] != "_" and inspect.isfunction(member):
                yield from _returned(member)
    elif inspect.isfunction(value):
        module = import_module(value.__module__)
        for name in re.findall(r"\w+", str(value.__annotations__.get("return", ""))):
            cls = getattr(module, name, None) or _typed_import(module, name)
            if inspect.isclass(cls) and cls.__module__.startswith("pytest_planguard") and not _is_enum(cls):
                yield cls


def _typed_import(module: ModuleType, name: str) -> object:
    """Return a class that a module imports for type checkers alone."""
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.ImportFrom) and node.module and name in [alias.name for alias in node.names]:
            return getattr(import_module("." * node.level + node.module, module.__package__), name, None)
    return None


def _entry(name: str, value: object) -> Iterator[str]:
    yield from (f"#### `{name}`", "")
    if callable(value) and not _is_enum(value):
        yield from ("```python", f"{name}{_signature(value)}", "```", "")
    yield from (_docstring(value), "")
    if inspect.isclass(value):
        yield from _members(value)


def _members(cls: type) -> Iterator[str]:
    if issubclass(cls, enum.Enum):
        yield from (", ".join(f"`{member.value}`" for member in cls), "")
        return
    yield from (f"- `{field}`: {said}" for field, said in fields_of(cls).items())
    for name, member in sorted(vars(cls).items()):
        if name[0] != "_" and inspect.getdoc(member) and (callable(member) or isinstance(member, property)):
            call = _signature(member) if callable(member) else ""
            yield f"- `{name}{call}`: {' '.join((inspect.getdoc(member) or '').partition(chr(10) * 2)[0].split())}"
    yield ""


class _Shown:
    """A default that is shown as this text."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


def _default(value: object) -> object:
    """Return a default as it may be published: `os.environ`, a registry or a function differ on each machine."""
    if isinstance(value, enum.Enum):
        return _Shown(f"{type(value).__name__}.{value.name}")
    plain = value if isinstance(value, tuple) else (value,)
    return value if all(isinstance(one, str | int | float | None) for one in plain) else _Shown("...")


def _signature(value: object) -> str:
    try:
        found = inspect.signature(value)  # type: ignore[arg-type]  # a value without a signature raises
    except (TypeError, ValueError):
        return "(...)"
    shown = [
        one if one.default is one.empty else one.replace(default=_default(one.default))
        for one in found.parameters.values()
    ]
    text = str(found.replace(parameters=shown))
    plain = re.sub(r"((?:: |-> ))(['\"])(.*?)\2(?=[,)]| =|$)", r"\1\3", text)  # annotations are strings: a: 'int'
    plain = plain.replace("*unnamed: object", "*")  # `Contract` takes them only to refuse them with a message
    return plain.replace("pytest_planguard.", "").replace("self, ", "").replace("(self)", "()")


def _docstring(value: object) -> str:
    """Return a docstring as Markdown: the entries of "Args:", "Returns:" and "Raises:" become lists."""
    text = (inspect.getdoc(value) or "").replace("<", "&lt;")
    text = re.sub(r"(?m)^        +(?=\S)", "  ", text)
    text = re.sub(r"(?m)^    (\w+): ", r"- `\1`: ", text)
    return re.sub(r"(?m)^(Args|Returns|Raises|Yields):$", r"\1:\n", text)


def _is_enum(value: object) -> bool:
    return inspect.isclass(value) and issubclass(value, enum.Enum)
