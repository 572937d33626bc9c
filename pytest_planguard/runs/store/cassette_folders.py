"""The cassette folders of a project by its pytest settings: the case that a path belongs to, and the variants."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from .project_files import NAMES, YAML_SUFFIXES, setting, settings_in

CASSETTES = "cassettes"
"""The default folder of cassettes, which is also in the names of cases."""
SETTING = "planguard_cassette_dir"
_NAMED = re.compile(r".+-[0-9a-f]{8}(?:\.[1-9][0-9]{0,5})?\.ya?ml", re.IGNORECASE)
"""A name that planguard chose: "test_it-a-1a2b3c4d.yaml", or "test_it-a-1a2b3c4d.2.yaml" for the second sample."""


@dataclass(frozen=True, slots=True)
class CassetteFolders:
    """Recognises cassettes in a tree by their paths, which are relative to its root and have forward slashes.

    If nested folders have settings, those of each count, because pytest uses the ones nearest to its start folder.
    """

    root: Path = field(default_factory=Path)
    """The path of the tree, now or in the past, for folders that settings give in full."""
    named: Mapping[str, str] = field(default_factory=dict)
    """Folders with settings ("" for the root), mapped to the cassette folder that they name."""

    @classmethod
    def of(cls, root: Path, files: Iterable[tuple[str, str]]) -> CassetteFolders:
        """Read settings files, given as path and text, in pytest's order of names for each folder."""
        named: dict[str, str] = {}
        for path, text in files:
            folder, name = _split(path)
            found = None if folder in named else _cassette_dir(name, text)
            if found is not None:
                named[folder] = found
        return cls(root, named)

    @property
    def shown(self) -> str:
        """The folders to search, in words: 'a cassettes/ folder', 'a tapes/ folder (planguard_cassette_dir)'."""
        names = sorted(set(self.named.values())) or [CASSETTES]
        said = " or ".join(f"{name.rstrip('/')}/" for name in names)
        return f"a {said} folder" if names == [CASSETTES] else f"a {said} folder ({SETTING})"

    def plain(self, path: str) -> str | None:
        """Return the path of a cassette as if its folder were named `cassettes`; None for other files.

        So two trees have the same cases if only the folder's name differs.
        """
        parts = PurePosixPath(path).parts
        if not path.lower().endswith(YAML_SUFFIXES):
            return None
        found = (self._plain(parts, name) for name in dict.fromkeys(self._dirs(parts)))
        return next((plain for plain in found if plain is not None), None)

    def _dirs(self, parts: tuple[str, ...]) -> Iterator[str]:
        """Yield the settings that may apply to a path, the nearest first. The default is a folder named `cassettes`."""
        above = ["/".join(parts[:end]) for end in range(len(parts) - 1, -1, -1)]
        found = [self.named[folder] for folder in above if folder in self.named]
        yield from found or [CASSETTES]

    def _plain(self, parts: tuple[str, ...], name: str) -> str | None:
        sought, fixed = self._parts(name)
        if sought is None:
            return None
        if not sought:  # beside the tests, among other files
            named = _NAMED.fullmatch(parts[-1]) is not None and len(parts) > 2
            return "/".join((*parts[:-3], CASSETTES, *parts[-3:])) if named else None
        size = len(sought)
        starts = [0] if fixed else range(len(parts) - 1 - size, -1, -1)  # the last folder of that name
        at = next((at for at in starts if parts[at : at + size] == sought and at + size < len(parts)), None)
        return None if at is None else "/".join((*parts[:at], CASSETTES, *parts[at + size :]))

    def _parts(self, name: str) -> tuple[tuple[str, ...] | None, bool]:
        """Return the folders that a setting names, with True if they start at the root; None if they are outside."""
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
    """Return the folder that a settings file names; None if the file is unreadable or does not configure pytest."""
    try:
        settings = settings_in(name, text)
        return None if settings is None else setting(settings, SETTING, CASSETTES)
    except ValueError:
        return None


def settings_files(paths: Iterable[str]) -> list[str]:
    """Return the paths that may hold pytest settings, in the order in which pytest looks in each folder."""
    ranked = {name: rank for rank, name in enumerate(NAMES)}
    found = [path for path in paths if _split(path)[1] in ranked]
    return sorted(found, key=lambda path: (_split(path)[0], ranked[_split(path)[1]]))


def folders_on_disk(root: Path, below: Iterable[Path]) -> CassetteFolders:
    """Read the settings of a folder and of folders below it.

    If these have no settings, use those of the folders above.
    """
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
"""A cassette name that planguard chose: "test_it-a-1a2b3c4d". "session" is the user's own name."""
_FILE = re.compile(r"[a-z0-9_]{1,60}")
"""A test file's name if its cassette folder has it in full: "test_app". "test-app-9f8e7d6c" is clipped."""


class RecordedCase(NamedTuple):
    """The case that a cassette belongs to."""

    key: str
    """The test's id without the model: "tests/test_app.py::test_it[a]"."""
    variant: str | None
    """The set of cassettes; None for the default one, or if the path does not show it."""


def by_digest(ids: Iterable[str], model: str | None = None) -> dict[str, str]:
    """Return the ids of tests in one file by the digests in their cassettes' names, without and with a model."""
    found: dict[str, str] = {}
    for known in ids:
        for digest in _digests(f"::{known.partition('::')[2]}", model):
            found.setdefault(digest, known)
    return found


def recorded_case(path: str, known: Mapping[str, str] | None = None, model: str | None = None) -> RecordedCase | None:
    """Return the case of a cassette by its path, relative to the root folder, with forward slashes and no suffix.

    The path may lack the variant's folder. `model` is the model that the test names, if any. Return None if the path
    doesn't identify a case: the cassette has the user's own name, or the test is in a class or has an id with other
    characters than a-z, 0-9, `_` and `-`, and isn't among the `known` ids of tests in that file, by digest.
    """
    *folders, file = path.split("/")
    named = _NAMED_FILE.fullmatch(file)
    test_file = test_file_of(path)
    if named is None or test_file is None:
        return None
    variant = folders[-1] if folders[-2] != CASSETTES and folders[-1] != DEFAULT else None
    guess = next((guess for guess in _guesses(named["name"]) if named["digest"] in _digests(guess, model)), None)
    key = (known or {}).get(named["digest"]) if guess is None else test_file + guess
    return None if key is None else RecordedCase(key, variant)


def test_file_of(path: str) -> str | None:
    """Return the test file of a cassette: "tests/cassettes/test_app/default/it-1a2b3c4d" is of "tests/test_app.py".

    Return None if the path doesn't show it.
    """
    folders = path.split("/")[:-1]
    if CASSETTES not in folders:
        return None
    at = len(folders) - 1 - folders[::-1].index(CASSETTES)
    below = folders[at + 1 :]
    if not 1 <= len(below) <= 2 or _FILE.fullmatch(below[0]) is None:
        return None
    return "/".join((*folders[:at], f"{below[0]}.py"))


def _guesses(name: str) -> Iterator[str]:
    """Yield the ids that a readable name may mean: "test_it-a-b" is `::test_it-a-b` or `::test_it[a-b]`."""
    yield f"::{name}"
    function, dash, parameters = name.partition("-")
    if dash:
        yield f"::{function}[{parameters}]"


def _digests(test: str, model: str | None) -> tuple[str, ...]:
    """Return the digests that the cassette of a test may have in its name: `models=[...]` adds none, `model` does."""
    identities = [test] if model is None else [test, f"{test}\n{model}"]
    return tuple(hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:8] for identity in identities)


SKIPPED = frozenset(("node_modules", "__pycache__", "site-packages", "build", "dist"))
"""Folders without cassettes of this project that may be large."""
SETTINGS = frozenset(NAMES)


def variant_files(root: Path, variant: str) -> list[tuple[Path, str]]:
    """Return the cassettes of a variant below a folder, each with its case key.

    The key is the path without the variant's folder.
    """
    found = []
    for file, plain in _cassettes(root):
        parts = PurePosixPath(plain).with_suffix("").parts
        if len(parts) > 1 and parts[-2] == variant:
            found.append((file, "/".join((*parts[:-2], parts[-1]))))
    return sorted(found, key=lambda item: item[1])


def variant_names(root: Path) -> list[str]:
    """Return the names of all variants below a folder, sorted."""
    return sorted({PurePosixPath(plain).parent.name for _, plain in _cassettes(root)} - {CASSETTES, ""})


def _cassettes(root: Path) -> Iterator[tuple[Path, str]]:
    """Yield every cassette below a folder, at any depth, with its path as if its folder were named `cassettes`."""
    walked = [(root / folder, sorted(names)) for folder, names in _walked(root)]
    folders = folders_on_disk(root, (folder for folder, names in walked if not SETTINGS.isdisjoint(names)))
    for folder, names in walked:
        for name in names if any(name.lower().endswith(YAML_SUFFIXES) for name in names) else ():
            path = (folder / name).relative_to(root).as_posix()
            plain = folders.plain(path)
            if plain is None and root.name == CASSETTES and name.lower().endswith(YAML_SUFFIXES):
                plain = path
            if plain is not None:
                yield folder / name, plain


def _walked(root: Path) -> Iterator[tuple[str, list[str]]]:
    for folder, inner, names in os.walk(root):
        inner[:] = sorted(name for name in inner if not name.startswith(".") and name not in SKIPPED)
        yield folder, names
