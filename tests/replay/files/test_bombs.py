"""Cassettes that are small on the disk and endless in memory end in a clear error, in no time."""

import gzip
import tracemalloc
from pathlib import Path

import pytest

from pytest_planguard.errors import CassetteError
from pytest_planguard.replay.files.cassette_file import unpacked
from pytest_planguard.replay.files.packed import unpacked_size
from pytest_planguard.replay.files.reader import read_cassette
from pytest_planguard.replay.files.safe_yaml import MAX_MERGED, load_plain

from ...support.cost import no_hang


def wide(number: int) -> str:
    """One mapping of many members, merged as often."""
    members = ", ".join(f"k{n}: v" for n in range(number))
    merges = "\n".join("- {<<: *b}" for _ in range(number))
    return f"version: 1\nb: &b {{{members}}}\nm:\n{merges}\ninteractions: []\n"


def test_merge_keys_are_bounded(tmp_path: Path) -> None:
    """The bound is told with the file's name."""
    path = tmp_path / "a.yaml"
    path.write_text(wide(3_000), "utf-8")
    with no_hang(), pytest.raises(CassetteError) as told:
        read_cassette(path)
    assert str(told.value) == (
        f"{path}: cannot be read as YAML: its merge keys copy more than {MAX_MERGED:,} members. "
        f"Restore it with `planguard cassette restore {path}`, or record it again with --planguard-record=all"
    )


def test_merge_keys_that_double_each_line_double_nothing() -> None:
    """What a mapping has already is not copied again."""
    doubled = "\n".join(f"b{n}: &b{n} {{<<: [*b{n - 1}, *b{n - 1}]}}" for n in range(1, 40))
    with no_hang():
        assert load_plain(f"b0: &b0 {{k: v}}\n{doubled}\n")["b39"] == {"k": "v"}


def test_a_few_merge_keys_are_read() -> None:
    """Merge keys that copy little mean what they mean anywhere."""
    assert load_plain("a: &a {x: 1}\nb: {<<: *a, y: 2}\nc: {<<: [*a, {z: 3}]}\n") == {
        "a": {"x": 1},
        "b": {"x": 1, "y": 2},
        "c": {"x": 1, "z": 3},
    }


@pytest.mark.parametrize("value", ["!!timestamp x", "!!int x", "!!float x", "!!bool x", "!!binary é", "!!timestamp {}"])
def test_a_value_that_does_not_fit_its_tag_is_the_files_error(value: str, tmp_path: Path) -> None:
    """Whatever PyYAML raises for it, the message names the file."""
    path = tmp_path / "a.yaml"
    path.write_text(f"version: 1\ninteractions: []\nextra: {value}\n", "utf-8")
    with pytest.raises(CassetteError, match=r"a\.yaml: (cannot be read as|is not valid) YAML: "):
        read_cassette(path)


@pytest.mark.parametrize(("copies", "refused"), [(99, False), (100, False), (101, True)])
def test_merge_keys_at_their_bound(copies: int, refused: bool) -> None:
    """A mapping of 1,000 members is merged as often as the bound allows, and once more."""
    members = ", ".join(f"k{n}: v" for n in range(MAX_MERGED // 100))
    merges = "".join("- {<<: *b}\n" for _ in range(copies))
    text = f"b: &b {{{members}}}\nm:\n{merges}"
    if refused:
        with pytest.raises(ValueError, match=f"its merge keys copy more than {MAX_MERGED:,} members"):
            load_plain(text)
    else:
        assert len(load_plain(text)["m"]) == copies


def test_what_only_looks_packed_is_read_as_it_is() -> None:
    """No gzip at all, and gzip that breaks off or is damaged in its first bytes."""
    packed = gzip.compress(b"version: 1")
    assert unpacked(packed) == b"version: 1"
    for content in (b"version: 1", b"\x1f\x8b", b"\x1f\x8bversion: 1", packed[:2] + b"\xff" + packed[3:]):
        assert unpacked(content) in (content, b"")
    assert unpacked(b"\x1f\x8bversion: 1") == b"\x1f\x8bversion: 1"
    assert [unpacked_size(gzip.compress(b"a" * size)) for size in (0, 1, 300_000)] == [0, 1, 300_000]
    assert unpacked_size(packed[:-9]) is None


def test_a_single_character_packed_many_times_takes_no_memory(tmp_path: Path) -> None:
    """A thousandth on the disk: 20 MB of one character are refused before they are unpacked as a whole."""
    path = tmp_path / "a.yaml.gz"
    path.write_bytes(gzip.compress(b"#" * 20_000_000, 1))
    tracemalloc.start()
    try:
        with pytest.raises(CassetteError, match="has more than the 16,777,216 bytes that planguard unpacks"):
            read_cassette(path)
        assert tracemalloc.get_traced_memory()[1] < 18_000_000
        assert unpacked(path.read_bytes()) == path.read_bytes()
    finally:
        tracemalloc.stop()


@pytest.mark.slow
def test_what_is_repeated_like_a_conversation_is_unpacked() -> None:
    """19 MB in which each line differs a little."""
    content = b"".join(b"- asked again: %d\n" % number for number in range(900_000))
    assert unpacked(gzip.compress(content, 1)) == content
