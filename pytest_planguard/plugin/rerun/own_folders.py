"""The temporary folders of a test: each run has new ones, which differ in a number that says nothing."""

from __future__ import annotations

import json
import re
from shutil import rmtree
from typing import TYPE_CHECKING, Any

from ...replay.matching.normalise import Normaliser
from .pytest_parts import temporary_folder, temporary_name

if TYPE_CHECKING:
    import pytest


def folder_names(item: pytest.Item) -> Normaliser:
    """Return what takes the numbers out of a text: of `tmp_path`, and of each folder that `mktemp` made beside it."""
    own = [rf"(?<![A-Za-z0-9]){re.escape(temporary_name(item))}(?=\d)"]  # test_a of "…/test_a0/out.txt"
    # "/tmp/pytest-of-me/pytest-3/data" of "/tmp/pytest-of-me/pytest-3/data0/out.txt", as JSON has it
    made = [rf'{re.escape(json.dumps(folder)[1:-1])}[\\/]+[^\\/"\s]*?(?=\d+(?![^\\/"\s]))' for folder in _folders(item)]
    pattern = re.compile(rf"({'|'.join([*made, *own])})\d+")
    return Normaliser("own folder", lambda text: pattern.sub(r"\1<run>", text))


def _folders(item: pytest.Item) -> list[str]:
    return temporary_folder(item.config)


def remove_own_folder(item: Any) -> None:
    """Remove what a further run has left in its `tmp_path`."""
    folder = (item.funcargs or {}).get("tmp_path")
    if folder is not None:
        rmtree(folder, ignore_errors=True)
