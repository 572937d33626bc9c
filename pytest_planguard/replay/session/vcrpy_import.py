"""Import vcrpy whole or not at all: it imports every HTTP client, and any of them may fail half-way.

Python forgets a module whose import failed, but not the submodules that were imported by then. Without them on the new
package, the next import ends in an error that explains nothing: "module 'vcr' has no attribute 'stubs'".
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from importlib import import_module

from ...errors import SetupFailed


def import_vcrpy() -> None:
    """Import the module that stands on vcrpy.

    Raises:
        SetupFailed: it cannot be imported here and now. The next call tries again.
    """
    if _is_imported(f"{__package__}.cassette"):  # asked for every fixture that is set up before a cassette
        return
    try:
        with _whole_packages():
            import_module(f"{__package__}.cassette")
    except Exception as error:
        raise SetupFailed(
            f"vcrpy, which replays and records HTTP, cannot be imported now: {type(error).__name__}: {error}\n"
            "  to do: put `import vcr` at the top of conftest.py, before a plugin forbids what it needs (sockets?);\n"
            "         if that fails too, repair the package that the error names"
        ) from error


def _is_imported(name: str) -> bool:
    """Return whether a module is there to its end: another thread may be importing it."""
    spec = getattr(sys.modules.get(name), "__spec__", None)
    return spec is not None and not getattr(spec, "_initializing", False)


@contextmanager
def _whole_packages() -> Iterator[None]:
    """Forget the submodules of each package whose import fails within a `with` block."""
    before = frozenset(sys.modules)
    try:
        yield
    except BaseException:
        for name in _orphans(before):
            sys.modules.pop(name, None)
        raise


def _orphans(before: Collection[str]) -> list[str]:
    """Return the modules that were imported since, and that lack one of the packages around them."""
    since = [name for name in list(sys.modules) if name not in before]
    return [name for name in since if any(package not in sys.modules for package in _around(name))]


def _around(name: str) -> Iterator[str]:
    """Yield "vcr.stubs" and "vcr" for "vcr.stubs.compat"."""
    while "." in name:
        name = name.rpartition(".")[0]
        yield name
