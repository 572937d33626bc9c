"""Load the contracts of `--contract` from a module or a file."""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import sys
from contextlib import redirect_stdout
from importlib.machinery import PathFinder
from pathlib import Path
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

from ...errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from importlib.metadata import EntryPoint

    from ...contract import Contract
    from ...document.answer import Extract


AUTO = "auto"


def load_contracts(specs: Sequence[str], extract: Extract | None = None) -> tuple[Contract, ...]:
    """Return the contracts that the specs name; () for "auto", which takes schemas from the requests.

    Args:
        specs: "module:NAME" or "path/file.py:NAME" (relative to the working directory), or only "auto".
        extract: how to extract the answer from its text. None leaves that to the contract.

    Raises:
        UsageError: a contract can't be loaded. The message gives the spec, the problem and what to write.
    """
    if AUTO in specs or not specs:
        if len(specs) > 1:
            raise UsageError(
                f"--contract auto takes the schema from the requests; leave out the other {len(specs) - 1}."
            )
        return ()
    return tuple(as_contract(load_thing(spec), spec, extract) for spec in specs)


def load_extensions(names: Iterable[str]) -> None:
    """Import the modules that register extensions: those of installed packages, and those that `-p` names.

    An installed package names its module in the entry-point group `planguard`.

    Raises:
        UsageError: a module can't be imported.
    """
    for point in installed_extensions():
        _import(point.module, f"the installed extension {point.name!r}", local=False)
    for name in names:
        _import(name, f"-p {name}")


def as_contract(thing: object, spec: str, extract: Extract | None) -> Contract:
    """Return a contract unchanged. Anything that can be a schema becomes a contract with its name."""
    from ...contract import Contract

    if isinstance(thing, Contract):
        return thing if extract is None else thing.with_extract(extract)
    if thing is None or isinstance(thing, (FunctionType, ModuleType)):
        what = "None" if thing is None else f"a {type(thing).__name__}"
        raise UsageError(f"--contract {spec}: that is {what}; name a Contract or what can be its schema, like a model.")
    name = getattr(thing, "__name__", None) or spec.rpartition(":")[2]
    try:
        return Contract(thing, name=name, extract=extract or "embedded")
    except UsageError as error:
        raise UsageError(f"--contract {spec}: {error}") from error


def load_thing(spec: str, option: str = "--contract") -> Any:
    """Return the object that `module:NAME` or `path/file.py:NAME` names. Raises UsageError with the option."""
    place, colon, name = spec.rpartition(":")
    if not (colon and place and name):
        got = "no name after ':'" if colon and place else "no ':'" if not colon else "nothing before ':'"
        raise UsageError(f"{option} {spec}: expected module:NAME, path/file.py:NAME, or auto; got {got}.")
    asked = f"{option} {spec}"
    module = _from_file(Path(place), asked) if place.endswith(".py") else _import(place, asked)
    found: object = module
    for part in name.split("."):
        if not hasattr(found, part):
            raise UsageError(f"{asked}: {place} has no {part!r}.{_offer(part, found)}")
        found = getattr(found, part)
    return found


def _from_file(path: Path, asked: str) -> ModuleType:
    if not path.is_file():
        raise UsageError(f"{asked}: there is no file {path} (seen from {Path.cwd()}).")
    package = _package(path.resolve())
    if package:  # a module of a package is imported by name, so that its relative imports work
        root, dotted = package
        return _import(dotted, asked, root)
    name = f"planguard_contract_{path.stem}"
    found = importlib.util.spec_from_file_location(name, path.resolve())
    if found is None or found.loader is None:
        raise UsageError(f"{asked}: {path} is not a Python file.")
    module = sys.modules[name] = importlib.util.module_from_spec(found)
    _search_first(path.resolve().parent)
    try:
        with redirect_stdout(sys.stderr):  # what a module prints must not mix with a report
            found.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise UsageError(f"{asked}: {path} does not import: {_error_text(error)}") from error
    return module


def _package(path: Path) -> tuple[Path, str] | None:
    parts = [path.stem]
    folder = path.parent
    while (folder / "__init__.py").is_file():
        parts.insert(0, folder.name)
        folder = folder.parent
    return (folder, ".".join(parts)) if len(parts) > 1 else None


def _import(name: str, asked: str, root: Path | None = None, *, local: bool = True) -> ModuleType:
    if root is not None:
        _search_first(root)
    elif local:
        _search_last(Path.cwd(), name)
    try:
        with redirect_stdout(sys.stderr):
            return importlib.import_module(name)
    except (Exception, SystemExit) as error:
        way = (
            " From another folder, name the file: path/file.py:NAME." if isinstance(error, ModuleNotFoundError) else ""
        )
        raise UsageError(f"{asked}: {name} does not import: {_error_text(error)}.{way}") from error


def _search_first(folder: Path) -> None:
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))


def _search_last(folder: Path, name: str) -> None:
    """Let a module be found in the folder if it isn't installed, so its `yaml.py` never hides the installed one.

    If the module is installed, the folder isn't searched at all. Otherwise an optional import in an installed module,
    such as `brotli`, could run a file of the checkout.
    """
    wanted = sys.path[-1:] == [str(folder)]  # by an earlier name
    sys.path[:] = [entry for entry in sys.path if entry not in ("", str(folder))]
    if wanted or not _is_installed(name.partition(".")[0]):
        sys.path.append(str(folder))


def _is_installed(name: str) -> bool:
    try:
        return name in sys.modules or importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):  # not a valid module name
        return False


def _offer(name: str, owner: object) -> str:
    from difflib import get_close_matches

    names = [n for n in dir(owner) if not n.startswith("_")]
    near = get_close_matches(name, names, 1)
    return f" Did you mean {near[0]!r}?" if near else ""


def _error_text(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text[:300]}"


GROUP = "planguard"
"""The entry-point group in which an installed package names the module that registers its extensions."""
# The heading "[planguard]" of a package's entry_points.txt; read as bytes, since most packages lack it.
_HEADING = re.compile(rb"\[\s*planguard\s*\]")
_METADATA = (".dist-info", ".egg-info", "EGG-INFO")
"""Suffixes of the folders in which packages keep their entry points."""


def installed_extensions() -> Sequence[EntryPoint]:
    """Return the entry points of the group, sorted by name.

    Loading importlib.metadata and reading all packages takes as long as a small command, so the packages' files are
    first searched for the group. Packages in other places, such as archives, are left to importlib.metadata.
    """
    if not (any(map(_is_foreign, sys.meta_path)) or any(map(_may_name_group, sys.path))):
        return ()
    from importlib.metadata import entry_points

    return sorted(entry_points(group=GROUP), key=lambda point: point.name)


def _is_foreign(finder: object) -> bool:
    """Return True if a finder knows packages outside the folders of `sys.path`."""
    return hasattr(finder, "find_distributions") and finder is not PathFinder


def _may_name_group(folder: str) -> bool:
    """Return True if a package in a folder of `sys.path` names the group, or might do so."""
    try:
        names = os.listdir(folder or ".")  # noqa: PTH208 - `sys.path` holds texts, and this runs with each command
    except NotADirectoryError:
        return True  # an archive
    except OSError:
        return False
    return any(_names_group(folder, name) for name in names if name.endswith(_METADATA))


def _names_group(folder: str, name: str) -> bool:
    try:
        with open(os.path.join(folder, name, "entry_points.txt"), "rb") as file:  # noqa: PTH118, PTH123 - the same
            return _HEADING.search(file.read()) is not None
    except OSError:
        return False
