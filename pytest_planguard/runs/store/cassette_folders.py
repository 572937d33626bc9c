"""Which folders of a project hold cassettes, by the settings of pytest in it, and which case a path belongs to."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from .pytest_settings import NAMES, setting, settings_in
from .whole_files import YAML_SUFFIXES

CASSETTES = "cassettes"
"""The folder of cassettes where no setting names another one, and in the names of cases."""
SETTING = "planguard_cassette_dir"
_NAMED = re.compile(r".+-[0-9a-f]{8}(?:\.[1-9][0-9]{0,5})?\.ya?ml", re.IGNORECASE)
"""A name that planguard gave: "test_it-a-1a2b3c4d.yaml", and "test_it-a-1a2b3c4d.2.yaml" of its second sample."""


@dataclass(frozen=True, slots=True)
class CassetteFolders:
    """Tells cassettes of a tree by their paths, which are relative to its root and have forward slashes.

    Where one folder in another has settings, those of either count: pytest takes the ones nearest to where it starts.
    """

    root: Path = field(default_factory=Path)
    """Where the tree stands or stood, for folders that settings name in full."""
    named: Mapping[str, str] = field(default_factory=dict)
    """Folders with settings ("" for the root) to the folder of cassettes that they name."""

    @classmethod
    def of(cls, root: Path, files: Iterable[tuple[str, str]]) -> CassetteFolders:
        """Read files of settings, given as path and text, of each folder in pytest's order of their names."""
        named: dict[str, str] = {}
        for path, text in files:
            folder, name = _split(path)
            found = None if folder in named else _cassette_dir(name, text)
            if found is not None:
                named[folder] = found
        return cls(root, named)

    @property
    def shown(self) -> str:
        """'a cassettes/ folder', 'a tapes/ folder (planguard_cassette_dir)': where cassettes are looked for."""
        names = sorted(set(self.named.values())) or [CASSETTES]
        said = " or ".join(f"{name.rstrip('/')}/" for name in names)
        return f"a {said} folder" if names == [CASSETTES] else f"a {said} folder ({SETTING})"

    def plain(self, path: str) -> str | None:
        """Return the path of a cassette as if its folder were called `cassettes`; None for what is no cassette.

        So the cases of two trees are the same ones where only the folder has another name.
        """
        parts = PurePosixPath(path).parts
        if not path.lower().endswith(YAML_SUFFIXES):
            return None
        found = (self._plain(parts, name) for name in dict.fromkeys(self._dirs(parts)))
        return next((plain for plain in found if plain is not None), None)

    def _dirs(self, parts: tuple[str, ...]) -> Iterator[str]:
        """Yield the settings that may count for a path, the nearest first; the default one where nothing is set."""
        above = ["/".join(parts[:end]) for end in range(len(parts) - 1, -1, -1)]
        found = [self.named[folder] for folder in above if folder in self.named]
        yield from found or [CASSETTES]

    def _plain(self, parts: tuple[str, ...], name: str) -> str | None:
        sought, fixed = self._parts(name)
        if sought is None:
            return None
        if not sought:  # beside the tests, among any other files
            named = _NAMED.fullmatch(parts[-1]) is not None and len(parts) > 2
            return "/".join((*parts[:-3], CASSETTES, *parts[-3:])) if named else None
        size = len(sought)
        starts = [0] if fixed else range(len(parts) - 1 - size, -1, -1)  # the last one of that name
        at = next((at for at in starts if parts[at : at + size] == sought and at + size < len(parts)), None)
        return None if at is None else "/".join((*parts[:at], CASSETTES, *parts[at + size :]))

    def _parts(self, name: str) -> tuple[tuple[str, ...] | None, bool]:
        """Return the folders that a setting names, and whether they stand at the root; None for a place elsewhere."""
        path = PurePosixPath(name.replace("\\", "/"))
        if not (path.is_absolute() or Path(name).is_absolute()):
            return tuple(part for part in path.parts if part not in (".", "..")), False
        try:
            return Path(name).relative_to(self.root).parts, True
        except ValueError:
            return None, True


def _split(path: str) -> tuple[str, str]:
    folder, _, name = path.rpartition("/")
    return folder, name


def _cassette_dir(name: str, text: str) -> str | None:
    """Return what a file of settings names; None where it does not configure pytest, or cannot be read."""
    try:
        settings = settings_in(name, text)
        return None if settings is None else setting(settings, SETTING, CASSETTES)
    except ValueError:
        return None


def settings_files(paths: Iterable[str]) -> list[str]:
    """Return those of the paths that may hold settings of pytest, of each folder in the order in which it looks."""
    ranked = {name: rank for rank, name in enumerate(NAMES)}
    found = [path for path in paths if _split(path)[1] in ranked]
    return sorted(found, key=lambda path: (_split(path)[0], ranked[_split(path)[1]]))


def folders_on_disk(root: Path, below: Iterable[Path]) -> CassetteFolders:
    """Read the settings of a folder and of folders below it; those above it count where it has none."""
    home = root.resolve()
    above = next((folder for folder in (home, *home.parents) if _named_by(folder) is not None), home)
    named = {} if (name := _named_by(above)) is None else {"": name}
    for folder in below:
        inner = _named_by(folder)
        if inner is not None:
            named[folder.relative_to(root).as_posix().removeprefix(".")] = inner
    return CassetteFolders(home, named)


def _named_by(folder: Path) -> str | None:
    for name in NAMES:
        file = folder / name
        if file.is_file():
            try:
                found = _cassette_dir(name, file.read_text(encoding="utf-8-sig"))
            except (OSError, UnicodeDecodeError):
                continue
            if found is not None:
                return found
    return None


DEFAULT = "default"
"""The folder of cassettes that belong to no named variant."""
_NAMED_FILE = re.compile(r"(?P<name>.+)-(?P<digest>[0-9a-f]{8})")
"""The name of a cassette that planguard chose: "test_it-a-1a2b3c4d"; not "session", a name of the user's own."""
_FILE = re.compile(r"[a-z0-9_]{1,60}")
"""The name of a test file that its folder of cassettes spells in full: "test_app"; "test-app-9f8e7d6c" is clipped."""


class RecordedCase(NamedTuple):
    """The case that a cassette belongs to."""

    key: str
    """The test's id without the model: "tests/test_app.py::test_it[a]"."""
    variant: str | None
    """The set of cassettes; None for the default one, and where the path does not say."""


def recorded_case(path: str) -> RecordedCase | None:
    """Return the case of a cassette by its path without suffix, relative to the root folder, with forward slashes.

    The variant's folder may be left out of the path. None where the path does not tell: a cassette of the user's own
    name, of a test in a class, of a test whose id has more than a-z, 0-9, `_` and `-` in it.
    """
    *folders, file = path.split("/")
    named = _NAMED_FILE.fullmatch(file)
    if named is None or CASSETTES not in folders:
        return None
    at = len(folders) - 1 - folders[::-1].index(CASSETTES)
    home, below = folders[:at], folders[at + 1 :]
    if not 1 <= len(below) <= 2 or _FILE.fullmatch(below[0]) is None:
        return None
    found = next((guess for guess in _guesses(named["name"]) if _digest(guess) == named["digest"]), None)
    variant = below[1] if len(below) == 2 and below[1] != DEFAULT else None
    return None if found is None else RecordedCase("/".join((*home, f"{below[0]}.py")) + found, variant)


def _guesses(name: str) -> Iterator[str]:
    """Yield ids that a readable name may stand for: "test_it-a-b" is `::test_it-a-b` or `::test_it[a-b]`."""
    yield f"::{name}"
    function, dash, parameters = name.partition("-")
    if dash:
        yield f"::{function}[{parameters}]"


def _digest(identity: str) -> str:
    return hashlib.sha256(identity.encode()).hexdigest()[:8]
