"""Which folders of a project hold cassettes: what the settings of pytest in it say, else `cassettes`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from .file_kind import YAML_SUFFIXES
from .pytest_settings import NAMES, setting, settings_in

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
