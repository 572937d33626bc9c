"""Count the hits of every rule in a folder of plan documents, or list them for a draw.

    python -m tools.plan_review.hits FOLDER [--json FILE]

The documents are judged with the others of their folder, as `planguard check` does.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_planguard.plans.policy import policy_of

if TYPE_CHECKING:
    from collections.abc import Iterator

SUFFIXES = (".md", ".json", ".yaml", ".yml")


def hits(root: Path) -> Iterator[dict[str, object]]:
    """Yield every hit below a folder: format, rule, severity, document, line, message."""
    folders: dict[Path, dict[str, bytes]] = {}
    for path in sorted(root.rglob("*")):
        if path.suffix in SUFFIXES and path.is_file():
            folders.setdefault(path.parent, {})[path.relative_to(root).as_posix()] = path.read_bytes()
    policy = policy_of()
    for texts in folders.values():
        for name, report in policy.judge(texts).items():
            kind = report.plan.format if report.plan is not None else "none"
            yield {"document": name, "format": kind}
            for finding in report.findings:
                line = finding.span.line if finding.span is not None else 0
                yield {
                    "document": name,
                    "format": kind,
                    "rule": finding.code,
                    "severity": finding.severity.value,
                    "line": line,
                    "message": finding.message,
                }


def main() -> None:
    """Print a table of hits and documents by format and rule."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    listed = list(hits(options.folder))
    if options.json:
        options.json.write_text("".join(json.dumps(hit, ensure_ascii=False) + "\n" for hit in listed), encoding="utf-8")
    documents = Counter(str(hit["format"]) for hit in listed if "rule" not in hit)
    counted = Counter((str(hit["format"]), str(hit["rule"]), str(hit["severity"])) for hit in listed if "rule" in hit)
    where = {key: len({h["document"] for h in listed if (h["format"], h.get("rule")) == key[:2]}) for key in counted}
    for kind, number in sorted(documents.items()):
        print(f"{kind}: {number} documents")
        for (one, rule, severity), count in sorted(counted.items()):
            if one == kind:
                print(f"  {rule:22} {severity:6} {count:5} in {where[one, rule, severity]}")


if __name__ == "__main__":
    main()
