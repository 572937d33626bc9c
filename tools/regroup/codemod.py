"""Move modules to where `modules.txt` says, and rewrite every import and every string that names them.

    python -m tools.regroup.codemod room retry      move the modules of one old package, once
    python -m tools.regroup.codemod scripts a.py b/   rewrite files of your own that import the old modules

Several old modules with one new name are joined: their imports are merged, what they imported from each other goes.
It needs libcst, and `ruff check --fix` and `ruff format` after it.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import libcst as cst

from tools.regroup.imports import Rewriter
from tools.regroup.joining import joined, refuse_clashes
from tools.regroup.module_map import PACKAGE, ModuleMap, read_map

TEXT_FILES = ("*.md", "*.toml", "Makefile", "*.yml", "*.yaml.example")
PYTHON_FOLDERS = ("pytest_planguard", "tests", "tools", "benchmarks", "examples")


def module_of(path: Path) -> str:
    """The dotted name of a file below the current folder: `tests/cli/__init__.py` is `tests.cli`."""
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def path_of(module: str, *, package: bool) -> Path:
    """The file of a module."""
    base = Path(*module.split("."))
    return base / "__init__.py" if package else base.with_suffix(".py")


def move_room(room: str) -> None:
    """Move all modules whose old name is in one package, their tests too; rewrite the whole tree."""
    modules = read_map().of_room(room)
    files = {module_of(path): path for path in sources()}
    modules = modules.with_tests(files)
    texts = {name: rewritten(name, path, modules, files) for name, path in files.items()}
    placed = {target: [(old, files[old], texts[old]) for old in olds] for target, olds in modules.groups.items()}
    refuse_clashes({target: [(old, text) for old, _, text in parts] for target, parts in placed.items()})
    for name, text in texts.items():
        if name not in modules.new_of:
            files[name].write_text(text, encoding="utf-8")
    for target, parts in placed.items():
        _place(target, parts, modules)
    for folder, line in modules.folders.items():
        _make_folder(folder, line)
    _make_test_folders(modules)
    rewrite_texts(modules)


def sources() -> list[Path]:
    """All Python files of the project, this tool's own left out."""
    found = [path for folder in PYTHON_FOLDERS for path in Path(folder).rglob("*.py")]
    return [path for path in found if "regroup" not in path.parts and "__pycache__" not in path.parts]


def rewritten(name: str, path: Path, modules: ModuleMap, files: dict[str, Path]) -> str:
    """One file's text with every import and every string in the new names."""
    text = path.read_text(encoding="utf-8")
    rewriter = Rewriter(name, modules, set(files), package=path.name == "__init__.py")
    return cst.parse_module(text).visit(rewriter).code


def _place(target: str, parts: list[tuple[str, Path, str]], modules: ModuleMap) -> None:
    """Write one new module, and let git follow the file that it was, or the largest of those that it was."""
    package = parts[0][1].name == "__init__.py"
    path = path_of(target, package=package)
    text = joined([(old, text) for old, _, text in parts], modules.first_lines.get(target, ""))
    largest = max((old for _, old, _ in parts), key=lambda file: file.stat().st_size)
    path.parent.mkdir(parents=True, exist_ok=True)
    if largest != path:
        subprocess.run(["git", "mv", "-f", str(largest), str(path)], check=True)
    for _, old, _ in parts:
        if old not in (largest, path):
            subprocess.run(["git", "rm", "-qf", str(old)], check=True)
    path.write_text(text, encoding="utf-8")


def _make_folder(folder: str, line: str) -> None:
    path = path_of(folder, package=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        path.write_text(f'"""{line}"""\n', encoding="utf-8")


def _make_test_folders(modules: ModuleMap) -> None:
    for target in modules.groups:
        if target.startswith("tests."):
            marker = path_of(target, package=False).parent / "__init__.py"
            if not marker.exists():
                marker.write_text("", encoding="utf-8")


def rewrite_texts(modules: ModuleMap) -> None:
    """Rewrite dotted names and file paths in documents and settings."""
    for pattern in TEXT_FILES:
        for path in Path().rglob(pattern):
            if not any(part.startswith(".venv") for part in path.parts) and "regroup" not in path.parts:
                text = path.read_text(encoding="utf-8")
                changed = modules.in_text(text)
                if changed != text:
                    path.write_text(changed, encoding="utf-8")


def rewrite_scripts(paths: list[Path]) -> None:
    """Rewrite files outside the package that still use the old names."""
    modules = read_map()
    known = {*modules.new_of, PACKAGE}
    for path in [file for place in paths for file in (place.rglob("*.py") if place.is_dir() else [place])]:
        rewriter = Rewriter(path.stem, modules, known, package=False)
        text = cst.parse_module(path.read_text(encoding="utf-8")).visit(rewriter).code
        path.write_text(re.sub(r"\n{4,}", "\n\n\n", text), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "room":
        move_room(sys.argv[2])
    elif len(sys.argv) > 2 and sys.argv[1] == "scripts":
        rewrite_scripts([Path(name) for name in sys.argv[2:]])
    else:
        sys.exit(__doc__)
