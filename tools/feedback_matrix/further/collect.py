"""Collects what the further validators say: `python -m tools.feedback_matrix.further.collect`.

The output has the form of `tools.feedback_matrix.collect`. Nothing of the texts is printed.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

from ..collect import Texts, _accepts_good, _jobs
from ..documents import documents
from ..drawn.catalogues import ROOT
from .draw import drawn

PYTHON = ROOT / ".venv-further" / "bin" / "python"
SCRIPT = Path(__file__).with_name("validators.py")
OUTPUT = Path(".feedback-texts/further.json")


def main() -> None:
    """Ask every drawn validator, and write what it says."""
    jobs = list(_jobs())
    given = json.dumps([{"schema": documents()[name]["schema"], "document": answer} for name, _, answer in jobs])
    done = subprocess.run([PYTHON, SCRIPT], input=given, capture_output=True, text=True, check=True)
    for line, count in sorted(Counter(done.stderr.splitlines()).items()):
        sys.stderr.write(f"{count} times {line}\n")
    texts: Texts = {}
    for (document, name, _), said in zip(jobs, json.loads(done.stdout), strict=True):
        for validator, one in said.items():
            texts.setdefault(validator, {}).setdefault(document, {})[name] = one
    wanted = {one["name"] for one in drawn()}
    kept = {name: {"en": said} for name, said in texts.items() if name in wanted and _accepts_good(name, said)}
    OUTPUT.parent.mkdir(exist_ok=True)
    OUTPUT.write_text(json.dumps(kept, ensure_ascii=False), encoding="utf-8")
    print(f"{len(kept)} of {len(wanted)} drawn validators; without texts: {sorted(wanted - set(kept))}")


if __name__ == "__main__":
    main()
