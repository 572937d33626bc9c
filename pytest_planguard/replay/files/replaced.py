"""Cassettes that newer ones have replaced: the last few of each are kept, and one command puts the newest back.

They stand in `.planguard/replaced/`, a folder that git ignores, one folder for each cassette: `…/NAME.yaml/3.kept`.
"""

from __future__ import annotations

from pathlib import Path

from ...errors import CassetteError

FOLDER = Path(".planguard", "replaced")
"""Below the root folder of the tests."""
SUFFIX = ".kept"
"""Not that of a cassette: what searches a project for cassettes finds the current ones only."""
KEPT = 5
"""Replaced cassettes of one case that are kept; the oldest goes first."""


def keep_replaced(root: Path, cassette: Path, content: bytes) -> bool:
    """Keep the content that a cassette had before; False where its folder cannot be written."""
    folder = _folder(root, cassette)
    numbers = _numbers(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write(folder / f"{max(numbers, default=0) + 1}{SUFFIX}", content)
        for number in numbers[: max(0, len(numbers) + 1 - KEPT)]:
            (folder / f"{number}{SUFFIX}").unlink(missing_ok=True)
    except OSError:  # a read-only checkout: git still has what was committed
        return False
    return True


def restore(cassette: Path) -> Path:
    """Put the newest replaced content of a cassette in its place, and keep what stood there; a second call undoes it.

    Returns the file that it was kept in. Raises CassetteError where nothing was kept, or nothing can be written.
    """
    root = _root_with(cassette)
    if root is None:
        raise CassetteError(f"{cassette}: no replaced cassette is kept; git may have it: git checkout -- {cassette}")
    folder = _folder(root, cassette)
    kept = folder / f"{_numbers(folder)[-1]}{SUFFIX}"
    try:
        content = kept.read_bytes()
        before = cassette.read_bytes() if cassette.exists() else None
        cassette.parent.mkdir(parents=True, exist_ok=True)
        _write(cassette, content)  # what is kept stays until it is in place
        if before is None:
            kept.unlink()
        else:
            _write(kept, before)
    except OSError as error:
        raise CassetteError(f"{cassette}: cannot be restored ({error.strerror or error}); {kept} is kept") from error
    return kept


def _root_with(cassette: Path) -> Path | None:
    """Return the folder above a cassette, or above where the command runs, that keeps replaced content of it."""
    here = Path.cwd()
    roots = (*cassette.resolve().parents, here, *here.parents)
    return next((root for root in roots if _numbers(_folder(root, cassette))), None)


def _numbers(folder: Path) -> list[int]:
    return sorted(int(file.stem) for file in folder.glob(f"*{SUFFIX}") if file.stem.isdecimal())


def _folder(root: Path, cassette: Path) -> Path:
    """By the cassette's place below the root, so that a moved checkout finds it; elsewhere by its whole path."""
    whole, base = cassette.resolve(), root.resolve()
    place = whole.relative_to(base) if whole.is_relative_to(base) else whole.relative_to(whole.anchor)
    return root / FOLDER / place


def _write(path: Path, content: bytes) -> None:
    """Write a file whole or not at all. Raises OSError."""
    fresh = path.with_name(f"{path.name}.new")
    fresh.unlink(missing_ok=True)  # it may be a link to a file elsewhere
    with fresh.open("xb") as file:
        file.write(content)
    fresh.replace(path)
