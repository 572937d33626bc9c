"""Folders of the checkout that tests read."""

import shutil
from pathlib import Path

ROOT = Path(__file__).parents[2]
"""The top of the checkout."""


def copy_with_byte_code(source: Path, copy: Path) -> None:
    """Copies a folder of the checkout with what is compiled already, whose times are those of the sources.

    Left out is byte code that another worker is writing: `x.pyc.4711` has been renamed to `x.pyc` when its turn comes.
    """
    shutil.copytree(source, copy, ignore=shutil.ignore_patterns("*.pyc.*"))
