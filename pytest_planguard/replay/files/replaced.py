"""Replaced cassettes: keep the last few of each, so that one command can restore the newest.

They are in `.planguard/replaced/`, a folder that git ignores, one folder for each cassette: `…/NAME.yaml/3.kept`.
"""

from __future__ import annotations

from pathlib import Path

from ...atomic import replace_file
from ...errors import CassetteError

FOLDER = Path(".planguard", "replaced")
"""Relative to the root folder of the tests."""
SUFFIX = ".kept"
"""Not the suffix of a cassette, so that a search for cassettes finds only the current ones."""
KEPT = 5
"""Maximum number of replaced cassettes to keep of one case. The oldest is removed first."""


def keep_replaced(root: Path, cassette: Path, content: bytes) -> bool:
    """Keep the previous content of a cassette. Return False if its folder cannot be written."""
    folder = _folder(root, cassette)
    numbers = _numbers(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        replace_file(folder / f"{max(numbers, default=0) + 1}{SUFFIX}", content)
        for number in numbers[: max(0, len(numbers) + 1 - KEPT)]:
            (folder / f"{number}{SUFFIX}").unlink(missing_ok=True)
    except OSError:  # a read-only checkout: git still has what was committed
        return False
    return True


def restore(cassette: Path) -> Path:
    """Restore the newest replaced content of a cassette, and keep the current content; a second call undoes it.

    Returns the file that held the content. Raises CassetteError if nothing was kept, or nothing can be written.
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
        replace_file(cassette, content)  # the kept file stays until this succeeds
        if before is None:
            kept.unlink()
        else:
            replace_file(kept, before)
    except OSError as error:
        raise CassetteError(f"{cassette}: cannot be restored ({error.strerror or error}); {kept} is kept") from error
    return kept


def _root_with(cassette: Path) -> Path | None:
    """Return the folder above a cassette or above the current folder that keeps replaced content of it."""
    here = Path.cwd()
    roots = (*cassette.resolve().parents, here, *here.parents)
    return next((root for root in roots if _numbers(_folder(root, cassette))), None)


def _numbers(folder: Path) -> list[int]:
    return sorted(int(file.stem) for file in folder.glob(f"*{SUFFIX}") if file.stem.isdecimal())


def _folder(root: Path, cassette: Path) -> Path:
    """Return a cassette's folder, by its path below the root, so that a checkout can move, else by its full path."""
    whole, base = cassette.resolve(), root.resolve()
    place = whole.relative_to(base) if whole.is_relative_to(base) else whole.relative_to(whole.anchor)
    return root / FOLDER / place
