"""Write docs/reference/public-names.md from the public modules: `python -m tools.public_names`."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "public-names.md"
MODULES = ("pytest_planguard", "pytest_planguard.extend", "pytest_planguard.testing")
HEAD = """# Public names

Three modules are public: what a test imports, what an extension registers, and what the tests of a plugin use. Import
these names from these modules; **everything else may move without notice**. This page is generated from the docstrings
(`python -m tools.public_names`).
"""


def page() -> str:
    """The whole page."""
    return HEAD + "".join(_section(import_module(name)) for name in MODULES)


def _section(module: ModuleType) -> str:
    """A module: what it is for, and a table of names for each topic."""
    return "".join([f"\n## {module.__name__}\n\n{_first_line(module)}\n", *_tables(module)])


def _tables(module: ModuleType) -> Iterator[str]:
    for topic, names in vars(module)["_TOPICS"].items():
        rows = [f"| `{name}` | {_first_line(getattr(module, name))} |\n" for name in names]
        yield f"\n{topic}:\n\n| name | meaning |\n|---|---|\n{''.join(rows)}"


def _first_line(value: object) -> str:
    return (inspect.getdoc(value) or "").partition("\n")[0].replace("|", r"\|")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
