"""Globs of plan files: what they mean, what they find, what stays hidden."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.plugin.plan_items import Way, find, fits, read_globs

from ..support.one_item import in_one_item

ROOT = PurePosixPath("/project")
NAME = st.text("ab.*?[]!-^&|~", min_size=1, max_size=8).filter(
    lambda name: name not in (".", "..") and "**" not in name
)


@in_one_item
@pytest.mark.parametrize(
    ("glob", "path", "meant"),
    [
        ("docs/plans/*.md", "docs/plans/a.md", True),
        ("docs/plans/*.md", "docs/plans/deep/a.md", False),
        ("docs/**/*.md", "docs/a.md", True),
        ("docs/**/*.md", "docs/x/y/a.md", True),
        ("docs/**", "docs/x/y/a.yaml", True),
        ("docs/**", "docs", False),
        ("**/tasks.md", "tasks.md", True),
        ("./tasks.md", "tasks.md", True),
        ("tasks.md", "old/tasks.md", False),
        ("a?b/x.md", "a/b/x.md", False),
        ("a?b/x.md", "a-b/x.md", True),
        ("specs/00[12]-*/plan.md", "specs/002-login/plan.md", True),
        ("specs/00[!12]-*/plan.md", "specs/002-login/plan.md", False),
        ("specs/00[!12]-*/plan.md", "specs/003-login/plan.md", True),
        ("a.md", "abmd", False),
        ("[a.md", "[a.md", True),
        ("[?--]", "[?--]", False),  # the range from "?" down to "-" is none
        ("[+--].md", ",.md", True),
    ],
)
def test_what_a_glob_means(glob: str, path: str, meant: bool) -> None:
    """Stars stay within a name, two of them cross folders, everything else stands for itself."""
    assert fits(ROOT / path, ROOT, read_globs([glob])) is meant


@given(NAME, st.text(max_size=12))
def test_any_name_is_a_glob_and_a_name_without_wildcards_means_itself(name: str, path: str) -> None:
    """No text makes an invalid pattern; a plain name means the file of that name."""
    globs = read_globs([name])
    fits(ROOT / path.strip("/"), ROOT, globs)
    if not set(name) & set("*?["):
        assert fits(ROOT / name, ROOT, globs)


@pytest.mark.parametrize("glob", ["/etc/*.md", "../x.md", "a/../../x.md", "C:/x.md", "."])
def test_a_glob_stays_below_the_root_folder(glob: str) -> None:
    """What leads out of it is refused."""
    with pytest.raises(pytest.UsageError, match="expected a glob below the root folder"):
        read_globs([glob])


def test_a_file_outside_the_root_folder_is_never_meant() -> None:
    """Whatever the glob."""
    assert not fits(PurePosixPath("/elsewhere/a.md"), ROOT, read_globs(["**/*.md"]))


def test_the_search_enters_hidden_folders_only_where_the_glob_names_them(tmp_path: Path) -> None:
    """Wildcards stay out of what pytest leaves out, and of virtual environments."""
    for name in (".kiro/a/t.md", ".kiro/.x/t.md", "env/t.md", "node_modules/t.md", "a/t.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "env" / "pyvenv.cfg").touch()
    pruned = [".*", "node_modules"]

    def found(*globs: str) -> list[str]:
        return [path.relative_to(tmp_path).as_posix() for path in find(tmp_path, read_globs(globs), pruned)]

    assert found("**/*.md") == ["a/t.md"]
    assert found("**/*.md", ".kiro/**/*.md") == [".kiro/a/t.md", "a/t.md"]
    assert found("gone/*.md") == []


def test_the_way_is_open_for_the_files_and_closed_for_the_rest() -> None:
    """From the hidden folder down: folders on the way and the files are let in, what stands beside them is not."""
    root = Path("/project")
    way = Way(root, [".*"], [root / "a/.kiro/specs/t.md"])
    expected = {
        "a": None,
        "a/b": None,
        "a/.kiro": False,
        "a/.kiro/specs": False,
        "a/.kiro/specs/t.md": None,
        "a/.kiro/x": True,
        "a/.kiro/specs/test_a.py": True,
    }
    assert {path: way.is_closed(root / path) for path in expected} == expected
