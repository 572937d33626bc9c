"""What a file's name says about its syntax."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from pytest_planguard.document.answer import format_of


@pytest.mark.parametrize(
    ("name", "format_name"),
    [
        ("plan.md", "markdown"),
        ("PLAN.Markdown", "markdown"),
        ("a.yaml", "yaml"),
        ("a.b.YML", "yaml"),
        ("a.json", None),
        ("yaml", None),
        (".md", None),
    ],
)
def test_the_suffix_names_the_format(name: str, format_name: str | None) -> None:
    """Only Markdown and YAML are known by their suffix, however it is written."""
    assert format_of(PurePosixPath("folder.md") / name) == format_name
