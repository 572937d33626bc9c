"""Print size figures of the project: `python -m tools.size`.

The lines of the package are those of all its text files: code, templates, data. A function's lines go from `def` to its
last line, in the format of `ruff format`. A comment counts unless it is a directive for a tool.
"""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean, median, quantiles

from pytest_planguard import extend, testing

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "pytest_planguard"
SMALL = 80
# Directives of ruff, mypy, coverage and formatters: "# pragma: no cover", "# fmt: off".
_DIRECTIVE = re.compile(r"#\s*(noqa|type:|pragma|pyright|ruff|fmt)")
_BRANCHES = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.IfExp, ast.comprehension, ast.match_case)
Function = ast.FunctionDef | ast.AsyncFunctionDef


def main() -> int:
    """Print one figure on each line."""
    for name, value in figures():
        print(f"{name:<58} {value}")
    return 0


def figures() -> Iterator[tuple[str, str]]:
    """Yield each figure with its name."""
    modules = {path: path.read_text(encoding="utf-8") for path in sorted(PACKAGE.rglob("*.py"))}
    sizes = [len(text.splitlines()) for text in modules.values()]
    trees = [ast.parse(text) for text in modules.values()]
    functions = [node for tree in trees for node in ast.walk(tree) if isinstance(node, Function)]
    lines, total = [_lines(node) for node in functions], sum(sizes)
    yield "package, lines of all text", f"{sum(map(_text_lines, _files(PACKAGE))):,}"
    yield "modules / below 80 lines / longest", f"{len(sizes)} / {sum(s < SMALL for s in sizes)} / {max(sizes)}"
    yield "lines of a module: median / 90th percentile", f"{median(sizes):g} / {quantiles(sizes, n=10)[8]:g}"
    yield (
        "lines of a function: mean / 90th percentile / most",
        (f"{mean(lines):.1f} / {quantiles(lines, n=10)[8]:g} / {max(lines)}"),
    )
    yield "branches of a function: most", str(max(map(_branches, functions)))
    yield "Any for each 1,000 lines", f"{1_000 * sum(map(_any, trees)) / total:.1f}"
    yield "comments for each 1,000 lines", f"{1_000 * sum(map(_comments, modules.values())) / total:.1f}"
    yield "fullest folder", _fullest()
    yield "public names", str(_public_names())
    yield "commands in --help / options of check", f"{_help_entries(())} / {_options_of_check()}"
    yield "tools, lines of Python", f"{sum(_text_lines(p) for p in _files(ROOT / 'tools') if p.suffix == '.py'):,}"
    yield "pinned lines of tests", f"{sum(_text_lines(p) for p in _files(ROOT / 'tests') if 'pinned' in p.parts):,}"


def _files(folder: Path) -> list[Path]:
    return [p for p in folder.rglob("*") if p.is_file() and p.suffix != ".pyc"]


def _text_lines(path: Path) -> int:
    return path.read_bytes().count(b"\n")


def _lines(node: Function) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def _branches(node: Function) -> int:
    inner = [n for n in ast.walk(node) if isinstance(n, _BRANCHES)]
    return 1 + len(inner) + sum(len(n.values) - 1 for n in ast.walk(node) if isinstance(n, ast.BoolOp))


def _any(tree: ast.AST) -> int:
    return sum(isinstance(node, ast.Name) and node.id == "Any" for node in ast.walk(tree))


def _comments(text: str) -> int:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return sum(t.type == tokenize.COMMENT and not _DIRECTIVE.match(t.string) for t in tokens)


def _fullest() -> str:
    def entries(folder: Path) -> int:
        return sum(p.name not in ("__pycache__", "__init__.py") for p in folder.iterdir())

    folders = [PACKAGE, *(p for p in PACKAGE.rglob("*") if p.is_dir() and p.name != "__pycache__")]
    fullest = max((f for f in folders if "templates" not in f.parts), key=entries)
    return f"{fullest.relative_to(ROOT)}: {entries(fullest)}"


def _public_names() -> int:
    import pytest_planguard

    return sum(len(module.__all__) for module in (pytest_planguard, extend, testing))


def _help_of(words: Sequence[str]) -> str:
    command = [sys.executable, "-m", "pytest_planguard", *words, "--help"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def _help_entries(words: Sequence[str]) -> int:
    _, _, listed = _help_of(words).partition("Commands:\n")
    return len(re.findall(r"(?m)^  [a-z]", listed.partition("\n\n")[0]))


def _options_of_check() -> int:
    return len(re.findall(r"(?m)^  (?:-\w, )?--[a-z]", _help_of(["check"]))) - 1  # without --help


if __name__ == "__main__":
    sys.exit(main())
