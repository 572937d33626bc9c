"""Which folders of a tree hold cassettes, by the settings of pytest in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.runs.store.cassette_folders import CassetteFolders, settings_files, variant_files, variant_names
from pytest_planguard.runs.store.project_files import setting, settings_in

from ...support.one_item import in_one_item

CASSETTE = "test_app/default/test_it-1a2b3c4d.yaml"
TAPES = "[pytest]\nplanguard_cassette_dir = tapes\n"


def folders(root: Path | None = None, **files: str) -> CassetteFolders:
    """Of a tree with these files of settings; "_" stands for a folder in a name, "__" for its dot."""
    named = {name.replace("__", ".").replace("_", "/"): text for name, text in files.items()}
    return CassetteFolders.of(root or Path("/repo"), [(path, named[path]) for path in settings_files(named)])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pytest.ini", TAPES),
        (".pytest.ini", TAPES),
        ("tox.ini", TAPES),
        ("setup.cfg", "[tool:pytest]\nplanguard_cassette_dir = tapes\n"),
        ("pyproject.toml", "[tool.pytest.ini_options]\nplanguard_cassette_dir = 'tapes'\n"),
        ("pyproject.toml", "[tool.pytest]\nplanguard_cassette_dir = 'tapes'\n"),
        ("pytest.toml", "[pytest]\nplanguard_cassette_dir = 'tapes'\n"),
        ("pytest.ini", "[pytest]\naddopts = -q -o planguard_cassette_dir=tapes\nplanguard_cassette_dir = other\n"),
        ("pytest.ini", "[pytest]\naddopts = -oplanguard_cassette_dir=tapes -x\n"),
        ("pytest.ini", "[pytest]\naddopts = --override-ini planguard_cassette_dir=tapes\n"),
        ("pyproject.toml", "[tool.pytest]\naddopts = ['--override-ini=planguard_cassette_dir=tapes']\n"),
    ],
)
def test_each_file_that_pytest_reads_may_name_the_folder(name: str, text: str) -> None:
    """Alone the folder that is named counts; a path is told as if its folder were the default one."""
    found = CassetteFolders.of(Path("/repo"), [(name, text)])
    assert found.plain(f"tests/tapes/{CASSETTE}") == f"tests/cassettes/{CASSETTE}"
    assert found.plain(f"tests/cassettes/{CASSETTE}") is None
    assert found.shown == "a tapes/ folder (planguard_cassette_dir)"


def test_without_a_setting_it_is_the_default_folder() -> None:
    """No settings, a file without them, one that cannot be read; only YAML is a cassette."""
    for found in (folders(), folders(tox__ini="[tox]\n"), folders(pyproject__toml="[[["), folders(pytest__ini="[x")):
        assert found.plain(f"a/cassettes/{CASSETTE}") == f"a/cassettes/{CASSETTE}"
        assert found.plain("a/cassettes/readme.md") is found.plain(CASSETTE) is found.plain("cassettes.yaml") is None
        assert found.shown == "a cassettes/ folder"


def test_the_first_file_of_a_folder_counts_that_configures_pytest() -> None:
    """In pytest's order; a pytest.ini counts even where it says nothing."""
    both = folders(pytest__ini="", pyproject__toml="[tool.pytest.ini_options]\nplanguard_cassette_dir = 'tapes'\n")
    assert both.plain(f"cassettes/{CASSETTE}") is not None
    passed = folders(pyproject__toml="[tool.black]\n", tox__ini=TAPES)
    assert passed.plain(f"tapes/{CASSETTE}") == f"cassettes/{CASSETTE}"


def test_settings_of_a_folder_count_below_it() -> None:
    """Those around it as well: pytest may be started in either."""
    found = folders(tox__ini="[pytest]\n", a_pytest__ini=TAPES)
    assert found.plain(f"a/tests/tapes/{CASSETTE}") == f"a/tests/cassettes/{CASSETTE}"
    assert found.plain(f"a/tests/cassettes/{CASSETTE}") is not None
    assert found.plain(f"b/tests/tapes/{CASSETTE}") is None


def test_a_folder_may_be_named_by_a_path(tmp_path: Path) -> None:
    """Of several folders, above the test file, in full below the root; in full elsewhere it is not committed."""
    named = {
        "data/tapes": f"tests/data/tapes/{CASSETTE}",
        "./tapes/": f"tests/tapes/{CASSETTE}",
        "../tapes": f"tests/tapes/{CASSETTE}",
        "data\\tapes": f"tests/data/tapes/{CASSETTE}",
        ".": f"tests/{CASSETTE}",
    }
    for name, path in named.items():
        found = folders(pytest__ini=f"[pytest]\nplanguard_cassette_dir = {name}\n")
        assert found.plain(path) == f"tests/cassettes/{CASSETTE}", name
        assert found.plain("tests/tapes.yaml") is None
    common = folders(tmp_path, pytest__ini=f"[pytest]\nplanguard_cassette_dir = {tmp_path / 'tapes'}\n")
    assert common.plain(f"tapes/tests/{CASSETTE}") == f"cassettes/tests/{CASSETTE}"
    assert common.plain(f"tests/tapes/{CASSETTE}") is None
    outside = folders(tmp_path / "repo", pytest__ini=f"[pytest]\nplanguard_cassette_dir = {tmp_path / 'tapes'}\n")
    assert outside.plain(f"tapes/{CASSETTE}") is None


@in_one_item
@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("test_app/default/test_it-1a2b3c4d.yaml", True),
        ("test_app/default/test_it-1A2B3C4D.YML", True),
        ("test_app/default/test_it-1a2b3c4d.2.yaml", True),
        ("test_app/default/test_it-1a2b3c4d.100000.yaml", True),
        ("test_app/default/test_it-1a2b3c4d.0.yaml", False),
        ("test_app/default/test_it-1a2b3c4d.1000000.yaml", False),
        ("test_app/default/test_it-1a2b3c4.yaml", False),
        ("test_app/default/session.yaml", False),
        ("default/test_it-1a2b3c4d.yaml", False),
        ("test_it-1a2b3c4d.yaml", False),
    ],
)
def test_beside_the_tests_only_names_that_planguard_chose_are_cassettes(path: str, found: bool) -> None:
    """With the folders of the test file and the variant: any other file there is the user's."""
    beside = folders(pytest__ini="[pytest]\nplanguard_cassette_dir = .\n")
    assert beside.plain(path) == (f"cassettes/{path}" if found else None)


def test_the_last_folder_of_that_name_counts() -> None:
    """The file is no folder, and one above it may have the same name."""
    assert folders().plain(f"cassettes/a/cassettes/{CASSETTE}") == f"cassettes/a/cassettes/{CASSETTE}"
    tapes = folders(pytest__ini=TAPES)
    assert tapes.plain(f"tapes/a/tapes/{CASSETTE}") == f"tapes/a/cassettes/{CASSETTE}"
    assert tapes.plain("a/tapes") is tapes.plain("a/tapes.yaml") is None
    assert tapes.plain("tapes/a.yaml") == "cassettes/a.yaml"


def test_all_named_folders_are_shown() -> None:
    """Sorted, with the setting that names them."""
    found = folders(a_pytest__ini=TAPES, b_pytest__ini="[pytest]\nplanguard_cassette_dir = recorded/\n")
    assert found.shown == "a recorded/ or tapes/ folder (planguard_cassette_dir)"


def test_options_are_words_of_a_shell() -> None:
    """What cannot be split names nothing; a value may have blanks and signs of its own."""
    section = settings_in("pytest.ini", "[pytest]\naddopts = -o 'a=b c=d' -o -o x\n")
    assert section is not None
    assert (setting(section, "a", ""), setting(section, "x", "default")) == ("b c=d", "default")
    assert folders(pytest__ini="[pytest]\naddopts = 'open\n").plain(f"cassettes/{CASSETTE}") is not None


@pytest.mark.parametrize(
    "text", ["[tool.pytest.ini_options]\naddopts = 3", "[tool]\npytest = 'x'", f"a = {'[' * 100_000}"]
)
def test_settings_of_other_types_name_no_folder(text: str) -> None:
    """TOML of a hostile tree: a number for words, a text for a table, lists without an end."""
    assert folders(pyproject__toml=text).plain(f"cassettes/{CASSETTE}") is not None


TEXT = st.text("[]pytest:ol.=-'\"\n #ab", max_size=40)


@given(st.sampled_from(["pytest.ini", "pyproject.toml", "setup.cfg"]), TEXT, st.text(max_size=20))
def test_any_text_may_stand_in_a_tree(name: str, text: str, path: str) -> None:
    """A hostile tree ends in no cassettes, never in an error."""
    CassetteFolders.of(Path("/repo"), [(name, text)]).plain(f"{path}.yaml")


def test_variants_of_a_project_stand_where_it_says(tmp_path: Path) -> None:
    """A set of cassettes is found in the folder that the settings name, and its cases are called as ever."""
    file = tmp_path / "tests" / "tapes" / "test_app" / "mini" / "test_it-1a2b3c4d.yaml"
    file.parent.mkdir(parents=True)
    file.write_text("interactions: []\n", encoding="utf-8")
    assert variant_names(tmp_path) == []
    (tmp_path / "pytest.ini").write_text(TAPES, encoding="utf-8")
    assert variant_names(tmp_path) == ["mini"]
    assert variant_files(tmp_path, "mini") == [(file, "tests/cassettes/test_app/test_it-1a2b3c4d")]
    inner = tmp_path / "tests"
    assert variant_names(inner) == ["mini"]


def test_the_folder_of_cassettes_may_be_the_root(tmp_path: Path) -> None:
    """Then all YAML in it counts, with paths below it. Folders of packages and hidden ones are passed over."""
    root = tmp_path / "cassettes"
    for name in ("test_app/mini/a.yaml", "b.YML", "test_app/mini/c.json", ".git/mini/d.yaml", "build/mini/e.yaml"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("interactions: []\n", encoding="utf-8")
    assert variant_files(root, "mini") == [(root / "test_app/mini/a.yaml", "test_app/a")]
    assert variant_names(root) == ["mini"]
    assert variant_names(tmp_path) == ["mini"]
    other = tmp_path / "cassettes" / "test_app"
    assert (variant_names(other), variant_files(other, "mini")) == ([], [])


def test_variants_come_in_the_order_of_their_cases(tmp_path: Path) -> None:
    """By key, with the folder of the variant left out."""
    for name in ("b/cassettes/test_app/mini/x.yaml", "a/cassettes/test_app/mini/z.yaml", "a/cassettes/mini/y.yaml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("", encoding="utf-8")
    keys = [key for _, key in variant_files(tmp_path, "mini")]
    assert keys == ["a/cassettes/test_app/z", "a/cassettes/y", "b/cassettes/test_app/x"]
