"""Contract tests for language model output, and tests that retries converge.

Three modules are public: this one (for tests), `pytest_planguard.extend` (for extensions) and
`pytest_planguard.testing` (for testing a plugin). The stub of each (`.pyi`) lists its names. Any other module may
change without notice. Each name is loaded when you first use it, so importing the package is cheap.
"""

from collections.abc import Callable
from functools import cache

__version__ = "0.1.0"


def _lazy_names(module: str, package: str, stub: str) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` of a public module, whose stub lists its names with their homes.

    Type checkers read the stub alone. With a module `__getattr__` that they see, every misspelt name would type-check.
    """

    @cache
    def homes() -> dict[str, str]:
        import re
        from pkgutil import get_data

        lines = (get_data(__name__, stub) or b"").decode()
        return {name: home for home, name in re.findall(r"(?m)^from (\S+) import (\w+) as \2$", lines)}

    def get(name: str) -> object:
        from importlib import import_module
        from sys import modules

        if name != "__all__" and name not in homes():
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        value = [*homes()] if name == "__all__" else getattr(import_module(homes()[name], package), name)
        setattr(modules[module], name, value)
        return value

    def names() -> list[str]:
        return sorted([*homes(), *(["__version__"] if module == __name__ else [])])

    return get, names


__getattr__, __dir__ = _lazy_names(__name__, __name__, "__init__.pyi")
