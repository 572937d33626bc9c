"""Takes one part after another out of the reading side: `python -m tools.ablation [--seconds N] [--part WORD]`.

For each part it says how many of the cases (`tools.ablation.cases`) get another verdict without it. Only cases that can
feel the part are judged again: those that run one of its lines, or have the words of an alternative. What was
found stands in .ablation/figures.jsonl, so that a run that is cut goes on where it ended; `--table` prints it.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.abc
import importlib.machinery
import json
import random
import re
import sys
import time
import types
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import coverage

from .cases import FOLDER, Case, cases
from .variants import Variant, modules, variants, without

FIGURES = FOLDER / "figures.jsonl"
ENOUGH = 1
"""Changed verdicts after which a part is known to be worth it."""
SAMPLE = 3_000
"""Cases that are judged for each part."""
PATHS = modules()
_FIRM = frozenset({"verbatim", "located", "weak"})
Verdicts = tuple[str, ...]


class _Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Loads the modules of the reading side, one of them changed."""

    def __init__(self) -> None:
        self.codes: dict[str, types.CodeType] = {}
        self.changed: dict[str, types.CodeType] = {}

    def find_spec(self, name: str, *_: Any) -> importlib.machinery.ModuleSpec | None:
        if name not in PATHS:
            return None
        spec = importlib.machinery.ModuleSpec(name, self, origin=str(PATHS[name]))
        if PATHS[name].name == "__init__.py":
            spec.submodule_search_locations = [str(PATHS[name].parent)]
        return spec

    def exec_module(self, module: types.ModuleType) -> None:
        name = module.__name__
        if name not in self.codes:
            self.codes[name] = compile(PATHS[name].read_text(encoding="utf-8"), str(PATHS[name]), "exec")
        exec(self.changed.get(name, self.codes[name]), module.__dict__)


FINDER = _Changed()


def load(changed: dict[str, types.CodeType]) -> Any:
    """Import the reading side with one module changed, and return the module that judges."""
    FINDER.changed = changed
    for name in [name for name in sys.modules if name in PATHS]:
        del sys.modules[name]
    return importlib.import_module("pytest_planguard.retry.matching.carried")


def verdicts(judge: Any, case: Case) -> Verdicts:
    """Return for each finding whether it is carried, placed, unread or lost; an error is a verdict, too."""
    try:
        reading = judge.read(case.deltas)
        fates = judge.carried(case.findings, reading, attempt=1, data=case.data, schema=case.schema)
    except Exception as error:  # whatever a changed module raises
        return (type(error).__name__,)
    return tuple("carried" if fate.grade.value in _FIRM else fate.grade.value for fate in fates)


class Table:
    """All cases with their verdicts, and what each of them touches."""

    def __init__(self, judged: Sequence[Case]) -> None:
        self.cases = judged
        self.order = random.Random(1).sample(range(len(judged)), len(judged))
        self.lines: dict[str, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
        self.texts = [case.text for case in judged]
        self.before = self._traced()

    def _traced(self) -> list[Verdicts]:
        """Judge every case under coverage, one context a case."""
        tracer = coverage.Coverage(data_file=None, config_file=False, include=[str(p) for p in PATHS.values()])
        tracer.start()
        judge = load({})
        made = []
        for number, case in enumerate(self.cases):
            tracer.switch_context(str(number))
            made.append(verdicts(judge, case))
        tracer.stop()
        data = tracer.get_data()
        for name, path in PATHS.items():
            for line, contexts in data.contexts_by_lineno(str(path)).items():
                self.lines[name][line] = {int(c) for c in contexts if c.isdecimal()}
        return made

    def touched(self, part: Variant) -> Iterator[int]:
        """Yield the cases that can feel the part, in an order that is always the same."""
        words = _words(part)
        if words is not None:
            pattern = _loose(words)
            for number in self.order:
                if pattern is None or pattern.search(self.texts[number]):
                    yield number
            return
        lines = self.lines[part.module]
        felt = set[int]().union(*(lines.get(line, ()) for line in range(part.line, part.end + 1)))
        everywhere = part.kind == "element"  # what a module has at its top is run by no case of its own
        yield from (number for number in self.order if everywhere or number in felt)


def _words(part: Variant) -> str | None:
    """Return the words of an alternative or of a text in a table; None for any other part."""
    if part.kind == "alternative":
        return part.part
    text = part.kind == "element" and re.fullmatch(r"'([^'|]*)'", part.part)
    return re.escape(text[1]).replace("_", ".?") if text else None


def _loose(words: str) -> re.Pattern[str] | None:
    """Return a pattern for the words of an alternative wherever they stand; None where it can match nothing long."""
    bare = re.sub(r"\\[AZ]|(?<!\\)[\^$]|\(\?<?[=!][^()]*\)|\\b", "", words)
    try:
        pattern = re.compile(bare, re.IGNORECASE | re.MULTILINE)
    except re.error:
        return None
    return None if pattern.match("") else pattern


def worth(table: Table, part: Variant, most: int) -> tuple[int, int]:
    """Return how many cases were judged without the part, and how many of them otherwise than before."""
    source = PATHS[part.module].read_text(encoding="utf-8")
    numbers = list(table.touched(part))
    if not numbers:
        return 0, 0
    try:
        judge = load({part.module: compile(without(source, part.index), str(PATHS[part.module]), "exec")})
    except Exception:  # the module cannot do without it
        return 0, most
    changed = 0
    for count, number in enumerate(numbers, 1):
        changed += verdicts(judge, table.cases[number]) != table.before[number]
        if changed >= most:
            return count, changed
    return len(numbers), changed


def main() -> None:
    """Measure what was not measured yet, or print what was."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=480, help="stop after that time")
    parser.add_argument("--part", default="", metavar="WORD", help="only parts whose module and kind contain it")
    parser.add_argument("--share", default="0/1", metavar="K/N", help="every N-th part, from the K-th on")
    parser.add_argument("--most", type=int, default=ENOUGH, help="changed verdicts that are counted for a part")
    parser.add_argument("--cases", type=int, default=SAMPLE, metavar="N", help="a sample of that many cases")
    parser.add_argument("--table", action="store_true", help="print what each block is worth")
    options = parser.parse_args()
    if options.table:
        print(render(_figures()))
        return
    sys.meta_path.insert(0, FINDER)
    re._MAXCACHE = 20_000  # type: ignore[attr-defined]  # noqa: SLF001 - each variant compiles all patterns again
    ends = time.monotonic() + options.seconds
    parts = [part for name, path in PATHS.items() for part in variants(name, path.read_text(encoding="utf-8"))]
    share, shares = map(int, options.share.split("/"))
    known = {one["key"] for one in _figures()}
    wanted = [p for p in parts if options.part in f"{p.module} {p.kind}" and p.key not in known][share::shares]
    recorded = cases()
    table = Table(random.Random(1).sample(recorded, min(options.cases, len(recorded))))
    print(f"{len(table.cases)} cases, {len(wanted)} of {len(parts)} parts", flush=True)
    with FIGURES.open("a", encoding="utf-8") as file:
        for part in wanted:
            judged, changed = worth(table, part, options.most)
            row = {name: getattr(part, name) for name in ("key", "module", "kind", "line", "block", "part")}
            file.write(json.dumps(row | {"judged": judged, "changed": changed}, ensure_ascii=False) + "\n")
            file.flush()
            if time.monotonic() > ends:
                break


def _figures() -> list[dict[str, Any]]:
    if not FIGURES.exists():
        return []
    rows = [json.loads(line) for line in FIGURES.read_text(encoding="utf-8").splitlines()]
    return list({row["key"]: row for row in rows}.values())


def render(figures: Iterable[dict[str, Any]]) -> str:
    """Return a table of blocks: parts, those that no case can feel, those that change nothing, and the others."""
    counts: Counter[tuple[str, str]] = Counter()
    blocks: dict[str, None] = {}
    for one in figures:
        block = f"{one['module'].removeprefix('pytest_planguard.retry.')} {one['block']}"
        fate = "changes" if one["changed"] else "unfelt" if not one["judged"] else "changes nothing"
        blocks[block] = None
        counts[block, "parts"] += 1
        counts[block, fate] += 1
        counts[block, "most"] = max(counts[block, "most"], one["changed"])
    columns = ("parts", "changes", "changes nothing", "unfelt", "most")
    lines = [f"| block | {' | '.join(columns)} |", f"|{'---|' * (len(columns) + 1)}"]
    lines += [f"| {b} | {' | '.join(str(counts[b, c]) for c in columns)} |" for b in sorted(blocks)]
    total = {c: sum(counts[b, c] for b in blocks) for c in columns[:-1]}
    return "\n".join([*lines, f"| all | {' | '.join(map(str, total.values()))} | |"])


if __name__ == "__main__":
    main()
