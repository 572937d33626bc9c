"""The extensions that installed packages name in the entry-point group `planguard`; nearly always there are none."""

from __future__ import annotations

import os
import re
import sys
from importlib.machinery import PathFinder
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.metadata import EntryPoint

GROUP = "planguard"
"""Entry-point group in which an installed package names the module that registers its extensions."""
_HEADING = re.compile(rb"\[\s*planguard\s*\]")
_METADATA = (".dist-info", ".egg-info", "EGG-INFO")
"""How the folders end in which packages keep their entry points."""


def installed_extensions() -> Sequence[EntryPoint]:
    """Return the entry points of the group, by their names.

    Loading importlib.metadata and reading all packages takes as long as a small command, so whether any names the group
    is looked up in their files first. What lies elsewhere, such as in an archive, is left to importlib.metadata.
    """
    if not (any(map(_is_foreign, sys.meta_path)) or any(map(_may_name_group, sys.path))):
        return ()
    from importlib.metadata import entry_points

    return sorted(entry_points(group=GROUP), key=lambda point: point.name)


def _is_foreign(finder: object) -> bool:
    """Return whether a finder knows packages that are not in folders of `sys.path`."""
    return hasattr(finder, "find_distributions") and finder is not PathFinder


def _may_name_group(folder: str) -> bool:
    """Return whether a package in a folder of `sys.path` names the group, or nobody can tell without reading it."""
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
