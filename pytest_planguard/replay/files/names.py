"""Paths of cassettes: of each case, and of replaced ones that are kept.

A case's path is readable, valid on every system, and stable when cases are inserted.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
from collections.abc import Iterable
from pathlib import Path, PurePath

from ...errors import CassetteError
from ..paths import replace_file
from .reader import SUFFIXES

CLIPPED = 60
"""Maximum number of characters of a case's readable name. The hash distinguishes longer names."""
_LONGEST_VARIANT = 80
"""Maximum number of characters of a variant's name."""
_RESERVED = frozenset({"con", "prn", "aux", "nul", *(f"{p}{n}" for p in ("com", "lpt") for n in range(1, 10))})
# The cassette of a further sample: "ticket-1f0a93c2.2" beside "ticket-1f0a93c2".
_SAMPLE = re.compile(r"(.+)\.[1-9][0-9]{0,5}", re.DOTALL)
# "Ticket [größer]" becomes "ticket-gr-er": file systems treat other signs differently.
_UNSAFE = re.compile(r"[^a-z0-9_-]+", re.ASCII)


def cassette_path(
    root: str | Path,
    test_path: str | PurePath,
    variant: str,
    case_key: str,
    name: str | None = None,
    *,
    folder: str | PurePath = "cassettes",
) -> Path:
    """Return `<root>/cassettes/<test path>/<variant>/<name clipped>-<8 hex of the case key>.yaml`, in lower case.

    Arguments:
        root: base folder of all cassettes, usually pytest's root directory.
        test_path: the test file relative to `root`; its suffix is left out.
        variant: one set of cassettes (a model, a prompt version).
        case_key: the identity of the case, in any position. It is hashed as it is, with its case and spelling.
        name: the readable part; the case key by default.
        folder: the folder of all cassettes, below `root`; an absolute path replaces both.
    """
    parts = [safe_name(part, CLIPPED) for part in PurePath(test_path).with_suffix("").parts if part != "/"]
    digest = hashlib.sha256(case_key.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    file = f"{safe_name(name or case_key, CLIPPED)}-{digest}.yaml"
    return Path(root, folder, *parts, safe_name(variant, CLIPPED), file)


def checked_variant(name: str) -> str:
    """Return the name itself. Raises ValueError unless it can name a folder beside the other variants everywhere."""
    if not all(c.isalnum() or c in "-_." for c in name) or name.startswith(".") or len(name) > _LONGEST_VARIANT:
        raise ValueError(
            f"{name!r} is not a valid variant; use letters, digits, '-', '_' and '.', "
            f"not first a dot, at most {_LONGEST_VARIANT} characters"
        )
    return name


def sample_path(first: Path, number: int) -> Path:
    """Return the path of sample `number` (1-based), given the path of the first: NAME.yaml, NAME.2.yaml and so on."""
    return first if number == 1 else first.with_name(f"{first.stem}.{number}{first.suffix}")


def first_sample(path: Path) -> Path:
    """Return the path of the first sample of the same case: the path itself if it has no number."""
    named = _SAMPLE.fullmatch(path.stem)
    return path.with_name(f"{named[1]}{path.suffix}") if named else path


def safe_name(text: str, limit: int) -> str:
    """Return at most `limit` characters of a-z, 0-9, `_` and `-`, never empty and never a name that a system reserves.

    A text that is clipped or has no such characters ends in a hash of the whole, so two texts never share a name.
    """
    plain = _UNSAFE.sub("-", text.lower()).strip("-")
    if len(plain) > limit or not plain or plain in _RESERVED:
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
        # nine for "-" and the hash; nothing is left of "店"
        return f"{plain[: limit - 9].rstrip('-')}-{digest}".lstrip("-")
    return plain


def leads_out(file: Path, folder: Path) -> bool:
    """Return True if links lead from a path in a folder to a file outside: a checkout may link to any file."""
    return not Path(os.path.realpath(file)).is_relative_to(os.path.realpath(folder))  # `resolve` raises in a loop


def orphans(folder: str | Path, used: Iterable[str | Path]) -> list[Path]:
    """Return the cassettes under `folder` that are not among `used`, sorted.

    Arguments:
        folder: the folder of the cassettes; a folder that does not exist has none.
        used: the cassettes that tests opened.
    """
    opened = {Path(path).resolve() for path in used}
    found = (p for p in Path(folder).rglob("*") if p.suffix.lower() in SUFFIXES and p.is_file())
    return sorted(p for p in found if opened.isdisjoint((p.resolve(), first_sample(p.resolve()))))


# Replaced cassettes: the last few of each are kept, so that one command can restore the newest. They are in
# `.planguard/replaced/`, a folder that git ignores, one folder for each cassette: `…/NAME.yaml/3.kept`.

REPLACED = Path(".planguard", "replaced")
"""Relative to the root folder of the tests."""
_KEPT_SUFFIX = ".kept"
"""Not the suffix of a cassette, so that a search for cassettes finds only the current ones."""
MOST_KEPT = 5
"""Maximum number of replaced cassettes to keep of one case. The oldest is removed first."""


def keep_replaced(root: Path, cassette: Path, content: bytes) -> bool:
    """Keep the previous content of a cassette. Return False if its folder cannot be written."""
    folder = _folder(root, cassette)
    numbers = _numbers(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        replace_file(folder / f"{max(numbers, default=0) + 1}{_KEPT_SUFFIX}", content)
        for number in numbers[: max(0, len(numbers) + 1 - MOST_KEPT)]:
            (folder / f"{number}{_KEPT_SUFFIX}").unlink(missing_ok=True)
    except OSError:  # a read-only checkout: git still has what was committed
        return False
    return True


def restore(cassette: Path) -> Path:
    """Restore the newest replaced content of a cassette, and keep the current content; a second call undoes it.

    Returns the file that held the content. Raises CassetteError if nothing was kept, or nothing can be written.
    """
    root = _root_with(cassette)
    if root is None:
        command = f"git checkout -- {shlex.quote(str(cassette))}"
        raise CassetteError(f"{cassette}: no replaced cassette is kept; git may have it: {command}")
    folder = _folder(root, cassette)
    kept = folder / f"{_numbers(folder)[-1]}{_KEPT_SUFFIX}"
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
    return sorted(int(file.stem) for file in folder.glob(f"*{_KEPT_SUFFIX}") if file.stem.isdecimal())


def _folder(root: Path, cassette: Path) -> Path:
    """Return a cassette's folder, by its path below the root, so that a checkout can move, else by its full path."""
    whole, base = cassette.resolve(), root.resolve()
    place = whole.relative_to(base) if whole.is_relative_to(base) else whole.relative_to(whole.anchor)
    return root / REPLACED / place
