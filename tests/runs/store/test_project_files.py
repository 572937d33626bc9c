"""The files of a project: which is a cassette, what pytest's settings say, and why one cannot be written."""

import errno
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from pytest_planguard.runs.store.project_files import is_cassette, not_written, setting, settings_in, words, write_whole

from ...support.one_item import in_one_item


@in_one_item
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("interactions:\n", True),
        ("version: 1\ninteractions: []\n", True),
        ("  interactions :\n", True),
        ('{"interactions": []}', True),
        ('{"version": 1,"interactions"\t: []}', True),
        ('"interactions": []', True),
        ("my_interactions:\n", False),
        ('{"my_interactions": []}', False),
        ("interactions\n", False),
        ("interactions\n:", False),
        ("", False),
    ],
)
def test_a_cassette_has_the_key_of_its_exchanges(text: str, found: bool) -> None:
    """In YAML or JSON; not a key that ends in the same letters, nor the word alone."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "a.yaml")
        path.write_text(text, encoding="utf-8")
        assert is_cassette(path) is found


def test_the_key_of_a_cassette_is_near_its_start(tmp_path: Path) -> None:
    """Within 64 kB; a large file of another kind is not read to its end. A file that is not there is none."""
    path = tmp_path / "a.yaml"
    key = b"\ninteractions:"
    for size, found in ((65_536, True), (65_537, False)):
        path.write_bytes(b"#" * (size - len(key)) + key)
        assert is_cassette(path) is found
    assert not is_cassette(tmp_path / "none.yaml")
    assert not is_cassette(tmp_path)


@in_one_item
@pytest.mark.parametrize(
    ("number", "way"),
    [
        (errno.ENOSPC, "Free some space, or write to another disk"),
        (errno.EDQUOT, "Free some space, or write to another disk"),
        (errno.EACCES, "Give write permission for the folder, or choose another one"),
        (errno.EPERM, "Give write permission for the folder, or choose another one"),
        (errno.EROFS, "The file system is read-only: choose another folder"),
        (errno.ENOTDIR, "Check the path"),
    ],
)
def test_what_helps_if_a_file_cannot_be_written(number: int, way: str) -> None:
    """By what the system says."""
    assert str(not_written(Path("a.json"), OSError(number, "No"), "the run")) == (
        f"a.json: the run was not written: No. {way}."
    )


def test_an_error_without_a_number_is_told_in_its_words() -> None:
    """As a library may raise it."""
    said = str(not_written(Path("a.json"), OSError("odd"), "the baseline"))
    assert said == "a.json: the baseline was not written: odd. Check the path."


def test_a_file_is_written_with_its_folders_in_utf_8(tmp_path: Path) -> None:
    """In pieces, and the path is returned."""
    path = tmp_path / "new" / "folder" / "a.txt"
    assert write_whole(path, ["ü", "\n", ""], "the run") == path
    assert path.read_bytes() == b"\xc3\xbc\n"


@in_one_item
@pytest.mark.parametrize(
    ("name", "text", "section"),
    [
        ("pytest.ini", "", {}),
        (".pytest.ini", "[other]\na = 1\n", {}),
        ("pytest.toml", "", {}),
        (".pytest.toml", "a = 1\n", {}),
        ("tox.ini", "[tox]\n", None),
        ("setup.cfg", "[pytest]\na = 1\n", None),
        ("setup.cfg", "[tool:pytest]\na = 1\n", {"a": "1"}),
        ("tox.ini", "[tool:pytest]\na = 1\n", None),
        ("tox.ini", "[pytest]\na = 5%\na = %(b)s\n", {"a": "%(b)s"}),
        ("pyproject.toml", "[tool.black]\n", None),
        ("pyproject.toml", "[tool.pytest]\na = 1\n", {"a": 1}),
        ("pyproject.toml", "[tool.pytest]\na = 1\n[tool.pytest.ini_options]\na = '2'\n", {"a": "2"}),
        ("pyproject.toml", "[tool.pytest]\nini_options = 3\n", {"ini_options": 3}),
        ("pytest.toml", "[pytest]\na = [1]\n[tool.pytest]\na = 2\n", {"a": [1]}),
        ("pytest.toml", "pytest = 3\n", {}),
    ],
)
def test_the_section_of_pytest_in_each_file(name: str, text: str, section: Any) -> None:
    """None sends pytest on to the next file, except from one of its own."""
    found = settings_in(name, text)
    assert (found if found is None else dict(found)) == section


@in_one_item
@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("pytest.ini", "[pytest\n", "no section headers"),
        ("pyproject.toml", "a = \n", "Invalid value"),
        ("pyproject.toml", f"a = {'[' * 100_000}", "it is nested too deep"),
    ],
)
def test_a_broken_file_of_settings_raises_a_value_error(name: str, text: str, said: str) -> None:
    """Of either kind."""
    with pytest.raises(ValueError, match=said):
        settings_in(name, text)


@in_one_item
@pytest.mark.parametrize(
    ("options", "value"),
    [
        ("", "set"),
        ("-o a=1", "1"),
        ("-oa=1", "1"),
        ("--override-ini a=1", "1"),
        ("--override-ini=a=1", "1"),
        ("-o a=1 -o a=2", "2"),
        ("-o a=x=y", "x=y"),
        ("-o a", "set"),
        ("-o b=1", "set"),
        ("-o -o a=1", "set"),
        ("a=1", "set"),
        ("-x -oa=1 -q", "1"),
        (["-o", "a=b c"], "b c"),
        (("-oa=1",), "1"),
    ],
)
def test_an_option_overrides_a_setting(options: Any, value: str) -> None:
    """The last one that gives it a value; the word after the option is its value, whatever it is."""
    assert setting({"addopts": options, "a": "set"}, "a", "default") == value


def test_words_of_a_setting() -> None:
    """A text is split as a shell would; other values are no words."""
    assert words("a 'b c' # d") == ["a", "b c", "#", "d"]
    assert words(["a b", 1]) == ["a b", "1"]
    assert setting({}, "a", "default") == "default"
    with pytest.raises(ValueError, match=r"^expected a text or a list of words, got 3$"):
        words(3)
    with pytest.raises(ValueError, match="No closing quotation"):
        words("'a")
