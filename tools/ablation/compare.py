"""Compares the verdicts of a changed reading side with those before: `python -m tools.ablation.compare [--keep]`.

`--keep` judges every case and writes the verdicts to .ablation/before.pickle. Without it every case is judged again and
the verdicts that changed are counted by what they were and are; `--examples N` prints N cases of each sort.
"""

from __future__ import annotations

import argparse
import importlib
import pickle
import random
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from .cases import FOLDER, Case, cases

BEFORE = FOLDER / "before.pickle"
_FIRM = frozenset({"verbatim", "located", "weak"})
Verdicts = tuple[str, ...]


def verdicts(judge: Any, case: Case) -> Verdicts:
    """Return the grade of each finding; an error is a verdict, too."""
    try:
        reading = judge.read(case.deltas)
        fates = judge.carried(case.findings, reading, attempt=1, data=case.data, schema=case.schema)
    except Exception as error:  # whatever a changed module raises
        return (type(error).__name__,)
    return tuple(fate.grade.value for fate in fates)


def main() -> None:
    """Keep the verdicts, or compare them with those that were kept."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", action="store_true", help="write the verdicts of now")
    parser.add_argument("--examples", type=int, default=0, metavar="N", help="print N cases of each sort")
    parser.add_argument("--grades", action="store_true", help="tell verbatim, located and weak apart")
    parser.add_argument("--sort", default="", metavar="WORD", help="print cases of sorts that contain it alone")
    parser.add_argument("--share", default="0/1", metavar="K/N", help="every N-th case, from the K-th on")
    options = parser.parse_args()
    first, share = map(int, options.share.split("/"))
    judge = importlib.import_module("pytest_planguard.retry.matching.carried")
    judged = cases()
    if options.keep:
        BEFORE.write_bytes(pickle.dumps([verdicts(judge, case) for case in judged]))
        return
    before: list[Verdicts] = pickle.loads(BEFORE.read_bytes())
    changed: dict[str, list[tuple[Case, int]]] = defaultdict(list)
    for case, old in list(zip(judged, before, strict=True))[first::share]:
        new = verdicts(judge, case)
        for at, (a, b) in enumerate(zip(old, new, strict=False)):
            one, other = (a, b) if options.grades else (plain(a), plain(b))
            if one != other:
                changed[f"{one} -> {other}"].append((case, at))
        if len(old) != len(new):
            changed[f"{old[:1]} -> {new[:1]}"].append((case, 0))
    for sort, pairs in sorted(changed.items()):
        print(f"{sort}: {len(pairs)} findings, {len({id(case) for case, _ in pairs})} cases")
        if options.sort in sort:
            examples(pairs, options.examples)


def plain(grade: str) -> str:
    """Return the verdict of a grade."""
    return "carried" if grade in _FIRM else grade


def examples(pairs: Sequence[tuple[Case, int]], most: int) -> None:
    """Print some of the cases."""
    for case, at in random.Random(2).sample(pairs, min(most, len(pairs))):
        finding = case.findings[at]
        words = " / ".join(piece.text for delta in case.deltas for piece in delta.pieces)
        print(f"   {finding.path} {finding.message!r} {finding.validator_code}\n      {words[:400]!r}")


if __name__ == "__main__":
    main()
