"""The gate of a pull request: its cassettes against those of the branch that it goes into.

Reads the event that started the workflow and calls `planguard diff --git BASE`. Needs no key, no token and no secret:
it works for forks as well. Standard library only.

Environment:
    PLANGUARD_CONTRACT  contracts, as `module:NAME` or `file.py:NAME`, separated by white space; may be empty
    PLANGUARD_BASE      revision to compare with; by default what the event says
    PLANGUARD_FAIL_ON   as `--fail-on`: new, weakened, worse, changed, stale, any, none; new,weakened without it
    PLANGUARD_BASELINE  path of the list of known failures; may be empty
    PLANGUARD_REPORT    path without suffix of the reports that are written (.html, .sarif, .xml)
"""

import json
import os
import subprocess
from pathlib import Path

NO_COMMIT = "0" * 40


def base_of(event: dict) -> str | None:
    """The commit to compare with: the pull request's base, the merge group's, or what was there before a push."""
    pull, group = event.get("pull_request") or {}, event.get("merge_group") or {}
    found = (pull.get("base") or {}).get("sha") or group.get("base_sha") or event.get("before")
    return found if found and found != NO_COMMIT else None


def git(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run git; the caller looks at the result."""
    return subprocess.run(["git", *arguments], capture_output=True, text=True, check=False)


def command(base: str, report: str) -> list[str]:
    """The comparison: annotations on the log, reports in files, the summary by itself."""
    words = ["planguard", "diff", "--git", base, "--allow-empty-base", "--format", "github"]
    words += [part for suffix in (".html", ".sarif", ".xml") for part in ("-o", f"{report}{suffix}")]
    words += [part for name in os.environ.get("PLANGUARD_CONTRACT", "").split() for part in ("--contract", name)]
    words += ["--fail-on", os.environ.get("PLANGUARD_FAIL_ON") or "new,weakened"]
    baseline = os.environ.get("PLANGUARD_BASELINE")
    return [*words, *(["--baseline", baseline] if baseline and Path(baseline).is_file() else [])]


def main() -> int:
    """0 where the gate passes, 1 where it does not, 2 and 3 as `planguard diff` says.

    A base without cassettes passes: it is the first pull request. Where only the pull request lacks them, it fails.
    """
    path = os.environ.get("GITHUB_EVENT_PATH")
    event = json.loads(Path(path).read_text(encoding="utf-8")) if path else {}
    base = os.environ.get("PLANGUARD_BASE") or base_of(event)
    if base is None:
        print("::notice title=planguard::this event names no commit to compare with: nothing was gated")
        return 0
    if git("cat-file", "-e", f"{base}^{{commit}}").returncode and git("fetch", "--depth=1", "origin", base).returncode:
        print("::error title=planguard::the base commit could not be fetched: check out with fetch-depth 0")
        return 2
    report = os.environ.get("PLANGUARD_REPORT") or "planguard"
    return subprocess.run(command(base, report), check=False).returncode


if __name__ == "__main__":
    raise SystemExit(main())
