"""The map from old modules to new ones, as `modules.txt` and `names.txt` hold it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

PACKAGE = "pytest_planguard"
HERE = Path(__file__).parent
DOTTED = re.compile(rf"\b{PACKAGE}(?:\.\w+)+")
"""A dotted name in a text, such as `pytest_planguard.retry.budget.Budget`."""
FILE = re.compile(rf"\b{PACKAGE}(?:/\w+)+\.py\b")
"""A path in a text, such as `pytest_planguard/replay/cassette.py`."""


@dataclass(frozen=True)
class ModuleMap:
    """Old names to new ones, all dotted and whole."""

    new_of: dict[str, str]
    """Old module to new module; several may share one."""
    folders: dict[str, str]
    """New folder to the first line of its `__init__`."""
    first_lines: dict[str, str]
    """First lines of modules that were joined."""
    names: dict[tuple[str, str], str]
    """(old module, old name) to the new name, where joined modules used one name for two things."""
    moved_names: dict[tuple[str, str], tuple[str, str]]
    """(old module, name) to its new module and name, where it did not go with the rest of its module."""

    @property
    def groups(self) -> dict[str, list[str]]:
        """New module to the old ones that it is made of, in the order of the map."""
        found: dict[str, list[str]] = {}
        for old, new in self.new_of.items():
            found.setdefault(new, []).append(old)
        return found

    def of_room(self, room: str) -> ModuleMap:
        """Only what one old package held."""
        inside = f"{PACKAGE}.{room}"
        new_of = {old: new for old, new in self.new_of.items() if f"{old}.".startswith(f"{inside}.")}
        moved = {place: new for place, new in self.moved_names.items() if f"{place[0]}.".startswith(f"{inside}.")}
        folders = {folder: line for folder, line in self.folders.items() if f"{folder}.".startswith(f"{inside}.")}
        return replace(self, new_of=new_of, folders=folders, moved_names=moved)

    def with_tests(self, known: dict[str, Path]) -> ModuleMap:
        """Their tests too: `tests/retry/test_link.py` goes where `retry/link.py` goes.

        The tests of the first of several joined modules take the new name, those of the others keep theirs.
        """
        moved = {}
        for new, olds in self.groups.items():
            for place, old in enumerate(olds):
                test = _test_of(old)
                if test in known:
                    target = new if place == 0 else f"{new.rpartition('.')[0]}.{old.rpartition('.')[2]}"
                    moved[test] = _test_of(target)
        return replace(self, new_of={**self.new_of, **moved})

    def in_text(self, text: str) -> str:
        """A text with every dotted name and every path of a moved module replaced."""
        return FILE.sub(lambda hit: self._file(hit[0]), DOTTED.sub(lambda hit: self._dotted(hit[0]), text))

    def _dotted(self, name: str) -> str:
        parts = name.split(".")
        for length in range(len(parts), 1, -1):
            head = ".".join(parts[:length])
            if head in self.new_of:
                rest = parts[length:]
                if rest and (head, rest[0]) in self.moved_names:
                    return ".".join([*self.moved_names[head, rest[0]], *rest[1:]])
                if rest:
                    rest[0] = self.names.get((head, rest[0]), rest[0])
                return ".".join([self.new_of[head], *rest])
        return name

    def _file(self, path: str) -> str:
        new = self.new_of.get(path.removesuffix(".py").replace("/", "."))
        return path if new is None else f"{new.replace('.', '/')}.py"


def _test_of(module: str) -> str:
    parts = module.split(".")[1:]
    return ".".join(["tests", *parts[:-1], f"test_{parts[-1]}"])


def read_map() -> ModuleMap:
    """The map of all packages."""
    renamed = {place: new for place, new in _names().items() if ":" not in new}
    moved = {
        place: (_whole(new.partition(":")[0]), new.partition(":")[2]) for place, new in _names().items() if ":" in new
    }
    found = ModuleMap({}, {}, {}, renamed, moved)
    for line in (HERE / "modules.txt").read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            _read_line(line, found)
    return found


def _read_line(line: str, found: ModuleMap) -> None:
    left, _, words = line.partition(" | ")
    if "=" not in left:
        found.folders[_whole(left)] = words
        return
    new, _, olds = left.partition("=")
    for old in olds.split():
        found.new_of[_whole(old)] = _whole(new)
    if words:
        found.first_lines[_whole(new)] = words


def _whole(name: str) -> str:
    return f"{PACKAGE}.{name.strip()}"


def _names() -> dict[tuple[str, str], str]:
    """Lines of `names.txt`: `old.module:old_name new_name`, or `old.module:name new.module:new_name`."""
    found = {}
    for line in (HERE / "names.txt").read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            place, new = line.split()
            module, _, name = place.partition(":")
            found[_whole(module), name] = new
    return found
