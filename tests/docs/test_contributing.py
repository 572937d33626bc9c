"""The examples of CONTRIBUTING.md are applied to a copy of the package, and their tests run in it; its paths exist."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_planguard.plugin.options import INI
from pytest_planguard.testing.example import outcomes_of

from ..support.paths import copy_with_byte_code
from ..support.warm import inner_environment
from .pages import ROOT, blocks

PAGE = ROOT / "CONTRIBUTING.md"
EXAMPLES = [block for block in blocks(PAGE) if block.value("into")]
PLACE = re.compile(r"`(?P<path>[\w.*/-]+/[\w.*/-]*|[\w-]+\.(?:py|md|toml|txt|json|ya?ml))`")
"""A path or the name of a file in running text: `wire/dialects/`, `pyproject.toml`."""
TESTS = [block for block in EXAMPLES if (block.value("into") or "").startswith("tests/")]


def applied(text: str, diff: str, place: str = "") -> str:
    """The text with the pieces of a diff, which `@@` lines separate; the old lines of a piece occur once."""
    for piece in re.split(r"(?m)^@@.*\n", diff):
        lines = piece.splitlines()
        old = "".join(f"{line[1:]}\n" for line in lines if line[:1] in " -")
        new = "".join(f"{line[1:]}\n" for line in lines if line[:1] in " +")
        times = len(re.findall(f"(?m)^{re.escape(old)}", text))
        assert times == 1, f"{place}: these lines occur {times} times, not once; correct the example:\n{old}"
        text = f"\n{text}".replace(f"\n{old}", f"\n{new}")[1:]
    return text


def test_every_where_does_it_go_has_code_and_a_test() -> None:
    """Each section of examples changes or adds a module and shows the test of that."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    sections: dict[str, set[str]] = {}
    for block in EXAMPLES:
        heading = next(line for line in reversed(lines[: block.line]) if line.startswith("### "))
        sections.setdefault(heading, set()).add((block.value("into") or "").partition("/")[0])
    assert len(sections) == 8
    assert all(folders == {"pytest_planguard", "tests"} for folders in sections.values()), sections


def test_the_style_page_quotes_a_message_that_exists() -> None:
    """The example of a good message is what a user sees."""
    page = (ROOT / "docs" / "contributing" / "style.md").read_text(encoding="utf-8")
    with pytest.raises(pytest.UsageError) as error:
        INI["match"].read("ini value planguard_match", "gatted")
    assert f"```text\n{error.value}\n```" in page


def named_places(text: str) -> Iterator[tuple[str, list[str]]]:
    """Each section's heading and the places that its running text names; PACKAGE stands for any name."""
    for section in re.split(r"(?m)^(?=#{2,3} )", re.sub(r"(?ms)^```.*?^```$", "", text)):
        found = [match["path"].replace("PACKAGE", "*") for match in PLACE.finditer(section)]
        yield section.partition("\n")[0], found


def missing(text: str) -> list[str]:
    """The places that do not exist: a path begins at the top or in the package, a bare name in a named folder."""
    tops = [ROOT, ROOT / "pytest_planguard"]
    return [
        f"{heading}: {place}"
        for heading, places in named_places(text)
        for place in places
        if not any(any(folder.glob(place)) for folder in (tops if "/" in place else [ROOT, *_folders(tops, places)]))
    ]


def _folders(tops: list[Path], places: list[str]) -> list[Path]:
    return [top / place for top in tops for place in places if place.endswith("/") and (top / place).is_dir()]


def test_every_place_that_the_page_names_exists() -> None:
    """A newcomer who follows the page arrives."""
    text = PAGE.read_text(encoding="utf-8")
    assert sum(len(places) for _, places in named_places(text)) > 30
    assert missing(text) == []


@pytest.mark.parametrize(
    "words",
    [
        "a server in `tests/lookalike`",
        "tables (`registry.py`)",
        "Tables in `contract/feedback/`; `registry.py` has more.",
        "`tests/PACKAGE/nowhere`",
    ],
)
def test_a_place_that_does_not_exist_is_found(words: str) -> None:
    """A moved folder is noticed, and so is a bare name whose file is elsewhere in the package."""
    assert len(missing(f"## Tests\n\n{words}\n")) == 1


@pytest.mark.slow
def test_all_examples_together_do_what_they_say(tmp_path: Path) -> None:
    """The tests of the page pass in a package with all examples, and fail in one without them."""
    copy_with_byte_code(ROOT / "pytest_planguard", tmp_path / "pytest_planguard")
    for block in TESTS:
        _write(tmp_path / str(block.value("into")), block.text)
    assert _outcomes(tmp_path)["failed"] == len(TESTS)
    for block in EXAMPLES:
        path = tmp_path / str(block.value("into"))
        if block.language == "diff":
            _write(path, applied(path.read_text(encoding="utf-8"), block.text, block.place))
        else:
            _write(path, block.text)
    assert _outcomes(tmp_path) == {"passed": sum(block.text.count("\ndef test_") for block in TESTS)}


@pytest.mark.parametrize(
    ("diff", "result"),
    [
        (" a\n+x\n", "a\nx\nb\n"),
        ("+x\n b\n", "a\nx\nb\n"),
        ("-a\n+x\n@@\n b\n+y\n", "x\nb\ny\n"),
    ],
)
def test_a_diff_adds_and_replaces_lines(diff: str, result: str) -> None:
    """Lines are added behind or before those that mark the place, or stand in their stead."""
    assert applied("a\nb\n", diff) == result


@pytest.mark.parametrize(("text", "times"), [("b\n", 0), ("a\na\n", 2)])
def test_a_diff_whose_place_is_not_clear_is_refused(text: str, times: int) -> None:
    """An example that no longer fits the code says what to correct."""
    with pytest.raises(AssertionError, match=f"these lines occur {times} times, not once; correct the example"):
        applied(text, " a\n+x\n")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _outcomes(folder: Path) -> dict[str, int]:
    argv = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        "-p",
        "pytester",
        "--import-mode=importlib",
        "tests",
    ]
    env = inner_environment(PYTEST_PLUGINS="pytest_planguard.plugin")  # for the runs of pytester, too
    done = subprocess.run(argv, cwd=folder, env=env, capture_output=True, text=True, check=False, timeout=120)
    outcomes = outcomes_of(done.stdout)
    assert "error" not in outcomes, done.stdout + done.stderr
    print(done.stdout)  # shown where the comparison fails
    return outcomes
