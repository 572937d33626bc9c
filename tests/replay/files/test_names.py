"""Where cassettes stand, and those that no test used."""

import hashlib
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.replay.files.names import (
    cassette_path,
    checked_variant,
    first_sample,
    leads_out,
    orphans,
    safe_name,
    sample_path,
)

from ...support.one_item import in_one_item

SAFE = re.compile(r"[a-z0-9_-]{1,75}(?:\.yaml)?")


def test_a_path_is_pinned() -> None:
    """Test file, variant, readable name and hash, all lower case."""
    path = cassette_path("/repo", "tests/api/test_Ticket.py", "gpt-5.1 Mini", "printer on FIRE!")
    assert path.as_posix() == "/repo/cassettes/tests/api/test_ticket/gpt-5-1-mini/printer-on-fire-f01ee6c1.yaml"


@pytest.mark.parametrize("path", ["tests/test_a.py", "/tests/test_a.py", "./tests/./test_a.py", "tests//test_a"])
def test_the_root_of_a_path_is_no_folder(path: str) -> None:
    """However the path of the test is written; the folder of all cassettes may be elsewhere."""
    assert cassette_path("r", path, "v", "k", folder="/c") == Path("/c/tests/test_a/v/k-8254c329.yaml")


def test_a_test_outside_of_the_root_has_a_folder_of_its_own() -> None:
    """Two full stops lead nowhere: they become a name."""
    assert cassette_path("r", "../test_a.py", "v", "k").as_posix() == "r/cassettes/5ec1f7e7/test_a/v/k-8254c329.yaml"


def test_the_key_decides_and_not_the_readable_name() -> None:
    """The same name with two keys, or keys that differ in case alone, are two files."""
    one = cassette_path("r", "test_a.py", "v", "key 1", name="test_x")
    assert one != cassette_path("r", "test_a.py", "v", "key 2", name="test_x")
    assert cassette_path("r", "test_a.py", "v", "Key") != cassette_path("r", "test_a.py", "v", "key")


def test_names_that_windows_reserves() -> None:
    """`con`, `nul` and names that are empty of letters become ordinary names."""
    parts = cassette_path("r", "con/test_a.py", "NUL", "…").parts
    assert all(SAFE.fullmatch(part) for part in parts[1:])
    assert not {"con", "nul"} & {part.partition(".")[0] for part in parts}


@given(st.text(min_size=1), st.text(min_size=1), st.text(min_size=1))
def test_any_names_give_a_safe_path(folder: str, variant: str, key: str) -> None:
    """Whatever the ids are, every part is short and of safe characters, and the folder is never left."""
    folder = folder.replace("\0", "").replace("/", "-")
    path = cassette_path("root", f"tests/{folder}/test_a.py", variant, key)
    assert path.parts[:2] == ("root", "cassettes")
    assert all(SAFE.fullmatch(part) for part in path.parts[1:])
    assert len(str(path)) < 330


@given(st.text(min_size=1), st.text(min_size=1))
def test_two_long_names_do_not_meet(one: str, other: str) -> None:
    """Folders whose names were clipped differ when the names do."""
    paths = {cassette_path("r", f"{'x' * 60}{n}/a.py", "v", "k") for n in ("1", "2")}
    assert len(paths) == 2


@pytest.mark.parametrize("name", ["../up", "a/b", ".hidden", "..", "a b", "x" * 81])
def test_a_variant_is_one_visible_folder(name: str) -> None:
    """Nothing that leads out of the folder of cassettes, and nothing that a search of files passes over."""
    with pytest.raises(ValueError, match="is not a valid variant") as told:
        checked_variant(name)
    assert str(told.value) == (
        f"{name!r} is not a valid variant; use letters, digits, '-', '_' and '.', not first a dot, "
        "at most 80 characters"
    )


def test_ordinary_variants_are_valid() -> None:
    """Models and versions of prompts, in any script."""
    for name in ("gpt-5.2_mini", "v2", "größer", "x" * 80):
        assert checked_variant(name) == name


def test_orphans_are_what_nobody_opened(tmp_path: Path) -> None:
    """Cassettes that no test opened, sorted; journals and other files are none; only judged folders count."""
    for name in ("a/x.yaml", "a/y.YML", "b/z.json", "b/z.yaml.part", "b/readme.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    names = [p.relative_to(tmp_path).as_posix() for p in orphans(tmp_path, [tmp_path / "a" / ".." / "a" / "x.yaml"])]
    assert names == ["a/y.YML", "b/z.json"]
    assert orphans(tmp_path / "absent", []) == []


def test_further_samples_go_with_the_first(tmp_path: Path) -> None:
    """NAME.2.yaml belongs to whom NAME.yaml belongs to, whether that one stands there or not."""
    for name in ("x.yaml", "x.2.yaml", "x.13.yaml", "y.2.yaml", "z.yaml", "z.3.yaml", "x.b.yaml"):
        (tmp_path / name).touch()
    assert [p.name for p in orphans(tmp_path, [tmp_path / "x.yaml", tmp_path / "y.yaml"])] == [
        "x.b.yaml",
        "z.3.yaml",
        "z.yaml",
    ]


@given(st.integers(1, 9999), st.text("abc-.1", min_size=1).filter(lambda t: t.strip(".")))
def test_a_sample_leads_to_the_first(number: int, name: str) -> None:
    """The name of a sample is one to one with the first's and its number, for the names that planguard gives."""
    first = Path("v", f"{name.replace('.', '-')}-0123abcd.yaml")
    assert first_sample(sample_path(first, number)) == first


@in_one_item
@pytest.mark.parametrize(
    "name", ["con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))]
)
def test_a_name_that_windows_reserves_gets_a_hash(name: str) -> None:
    """In any case; the same letters with others beside them are an ordinary name."""
    assert safe_name(name, 60) == f"{name}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"
    assert safe_name(name.upper(), 60).startswith(f"{name}-")
    assert safe_name(f"{name}x", 60) == f"{name}x"
    assert safe_name("com0", 60) == "com0"


@pytest.mark.parametrize(
    ("sample", "first"),
    [
        ("a.2.yaml", "a.yaml"),
        ("a.b.12.yaml", "a.b.yaml"),
        ("a.999999.json", "a.json"),
        ("a.1000000.yaml", "a.1000000.yaml"),
        ("a.0.yaml", "a.0.yaml"),
        ("a.02.yaml", "a.02.yaml"),
        ("a.x.yaml", "a.x.yaml"),
        ("2.yaml", "2.yaml"),
    ],
)
def test_what_is_the_number_of_a_sample(sample: str, first: str) -> None:
    """A whole number from 1 on, of at most six digits, behind a name."""
    assert first_sample(Path("c", sample)) == Path("c", first)
    assert [sample_path(Path("c/a.yaml"), number).name for number in (1, 2, 10)] == ["a.yaml", "a.2.yaml", "a.10.yaml"]


def test_a_link_that_leads_out_of_a_folder_is_told(tmp_path: Path) -> None:
    """Also through a folder, and in a circle; within the folder it is fine."""
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.mkdir()
    (inside / "own.yaml").touch()
    (inside / "near.yaml").symlink_to("own.yaml")
    (inside / "far.yaml").symlink_to(outside / "a.yaml")
    (inside / "folder").symlink_to(outside)
    (inside / "loop.yaml").symlink_to("loop.yaml")
    names = ("own.yaml", "near.yaml", "absent.yaml", "loop.yaml", "far.yaml", "folder/a.yaml", "../outside/a.yaml")
    assert [leads_out(inside / name, inside) for name in names] == [False] * 4 + [True] * 3


def test_a_clipped_name_ends_in_one_dash_and_a_hash() -> None:
    """At the limit as it is, above it clipped; a dash at the cut does not stay beside the one before the hash."""
    assert safe_name("a" * 20, 20) == "a" * 20
    assert safe_name("a" * 21, 20) == "a" * 11 + "-" + hashlib.sha256(b"a" * 21).hexdigest()[:8]
    cut = "a" * 8 + " - " + "b" * 12
    assert safe_name(cut, 20) == "a" * 8 + "-" + hashlib.sha256(cut.encode()).hexdigest()[:8]
    for name in ("", "!?", "con"):
        assert safe_name(
            name, 20
        ) == f"{name if name == 'con' else ''}-{hashlib.sha256(name.encode()).hexdigest()[:8]}".lstrip("-")
