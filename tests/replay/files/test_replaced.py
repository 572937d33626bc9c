"""Replaced cassettes: kept beside the runs, a few of each, and put back by a swap."""

import shutil
from pathlib import Path

import pytest

from pytest_planguard.errors import CassetteError
from pytest_planguard.replay.files.names import MOST_KEPT, keep_replaced, restore


@pytest.fixture
def cassette(tmp_path: Path) -> Path:
    """A cassette below a root folder."""
    path = tmp_path / "tests" / "cassettes" / "a.yaml"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"new")
    return path


def test_restoring_swaps_the_two(tmp_path: Path, cassette: Path) -> None:
    """Nothing is lost: the second call undoes the first."""
    assert keep_replaced(tmp_path, cassette, b"old")
    assert restore(cassette) == tmp_path / ".planguard/replaced/tests/cassettes/a.yaml/1.kept"
    assert cassette.read_bytes() == b"old"
    restore(cassette)
    assert cassette.read_bytes() == b"new"


def test_a_link_that_waits_in_the_folder_leads_nowhere(tmp_path: Path, cassette: Path) -> None:
    """What is kept is written beside its name first; a link of that name would send it elsewhere."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_bytes(b"mine")
    folder = tmp_path / ".planguard/replaced/tests/cassettes/a.yaml"
    folder.mkdir(parents=True)
    (folder / "1.kept.new").symlink_to(elsewhere)
    assert keep_replaced(tmp_path, cassette, b"old")
    assert (elsewhere.read_bytes(), (folder / "1.kept").read_bytes()) == (b"mine", b"old")


def test_the_newest_comes_back_and_the_oldest_goes(tmp_path: Path, cassette: Path) -> None:
    """Also past nine, where names no longer sort as numbers."""
    for number in range(12):
        keep_replaced(tmp_path, cassette, str(number).encode())
    kept = sorted((tmp_path / ".planguard/replaced/tests/cassettes/a.yaml").iterdir())
    assert len(kept) == MOST_KEPT
    restore(cassette)
    assert cassette.read_bytes() == b"11"


def test_a_removed_recording_comes_back(tmp_path: Path, cassette: Path) -> None:
    """There is nothing to swap with: the kept file becomes the cassette."""
    keep_replaced(tmp_path, cassette, b"old")
    cassette.unlink()
    restore(cassette)
    assert cassette.read_bytes() == b"old"
    with pytest.raises(CassetteError, match="no replaced cassette is kept; git may have it: git checkout -- "):
        restore(cassette)


def test_a_removed_folder_comes_back(tmp_path: Path, cassette: Path) -> None:
    """With the folders around it."""
    keep_replaced(tmp_path, cassette, b"old")
    shutil.rmtree(tmp_path / "tests")
    restore(cassette)
    assert cassette.read_bytes() == b"old"


def test_what_cannot_be_put_back_is_still_kept(tmp_path: Path, cassette: Path) -> None:
    """A folder of tests that is gone, with a file in its place, is no reason to lose the old cassette."""
    keep_replaced(tmp_path, cassette, b"old")
    cassette.unlink()
    cassette.parent.rmdir()
    cassette.parent.write_text("a file in the way")
    kept = tmp_path / ".planguard/replaced/tests/cassettes/a.yaml/1.kept"
    with pytest.raises(CassetteError) as error:
        restore(cassette)
    assert str(error.value) == f"{cassette}: cannot be restored (File exists); {kept} is kept"
    assert kept.read_bytes() == b"old"
    cassette.parent.unlink()
    restore(cassette)
    assert (cassette.read_bytes(), kept.exists()) == (b"old", False)


def test_a_folder_that_cannot_be_written_keeps_nothing(tmp_path: Path, cassette: Path) -> None:
    """A read-only checkout must not fail the test that records."""
    (tmp_path / ".planguard").write_text("a file in the way")
    assert not keep_replaced(tmp_path, cassette, b"old")
