"""The template, its style and its script go with the package."""

import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from pytest_planguard.report.plain_text import block

from ...support.paths import ROOT

TEMPLATES = ROOT / "pytest_planguard" / "report" / "forms" / "templates"


def test_the_wheel_has_every_template(tmp_path: Path) -> None:
    """A page that works from a checkout only is no page."""
    if find_spec("hatchling") is None:
        pytest.skip("needs hatchling, which builds the wheel")
    from hatchling.builders.wheel import WheelBuilder

    (wheel,) = WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    with zipfile.ZipFile(wheel) as found:
        names = {Path(name).name for name in found.namelist() if "/report/forms/templates/" in name}
    assert names == {path.name for path in TEMPLATES.iterdir()}
    assert names == {"page.html", "page.js", "page.css"}


def test_a_block_keeps_lines_and_says_what_was_cut() -> None:
    """Line breaks and tabs stay, controls are spelled out, the rest is counted."""
    assert block("a\n\tb\x1bc", 99) == "a\n\tb\\x1bc"
    assert block("abcdef", 4) == "abcd\n… (2 more characters)"
