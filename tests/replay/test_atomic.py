"""Files that are replaced whole: what is left after a failure, of links, and of permissions."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_planguard.replay.paths import replace_file


@pytest.mark.parametrize("error", [OSError(28, "full"), KeyboardInterrupt(), ValueError()])
def test_a_failure_changes_nothing_and_leaves_nothing(tmp_path: Path, error: BaseException) -> None:
    """Also when the content itself fails, half-way."""

    def content() -> Iterator[bytes]:
        yield b"new"
        raise error

    path = tmp_path / "a"
    path.write_bytes(b"old")
    with pytest.raises(type(error)):
        replace_file(path, content())
    assert ([*tmp_path.iterdir()], path.read_bytes()) == ([path], b"old")


def test_a_link_is_replaced_and_not_followed(tmp_path: Path) -> None:
    """The file that the link names keeps its content."""
    (tmp_path / "mine").write_bytes(b"mine")
    (tmp_path / "link").symlink_to(tmp_path / "mine")
    replace_file(tmp_path / "link", b"new")
    assert ((tmp_path / "mine").read_bytes(), (tmp_path / "link").is_symlink()) == (b"mine", False)


@pytest.mark.parametrize(("keep_mode", "mode"), [(True, 0o751), (False, 0o644)])
def test_only_a_kept_mode_lets_a_file_be_run(tmp_path: Path, keep_mode: bool, mode: int) -> None:
    """A replay writes what a cassette says, so it makes no file executable."""
    path = tmp_path / ("n" * 84)
    path.write_bytes(b"")
    path.chmod(0o751)
    replace_file(path, b"new", keep_mode=keep_mode)
    assert path.stat().st_mode & (0o777 if keep_mode else 0o111) == mode & (0o777 if keep_mode else 0o111)


def test_a_name_may_be_as_long_as_the_file_system_allows(tmp_path: Path) -> None:
    """255 bytes, here of characters that have three each."""
    path = tmp_path / ("\u20ac" * 85)
    replace_file(path, b"new")
    assert path.read_bytes() == b"new"
