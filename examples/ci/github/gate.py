"""Gate a pull request: compare its cassettes with those of its base branch.

Reads the event that started the workflow and calls `planguard diff --git BASE`. Needs no key, token or secret, so it
works for forks as well. Uses only the standard library.

Environment:
    PLANGUARD_CONTRACT  contracts, as `module:NAME` or `file.py:NAME`, separated by white space; may be empty
    PLANGUARD_BASE      revision to compare with; by default the event's base
    PLANGUARD_FAIL_ON   as `--fail-on`: new, weakened, worse, changed, stale, any, none; the default is new,weakened
    PLANGUARD_BASELINE  path of the list of known failures; may be empty
    PLANGUARD_REPORT    path without suffix of the reports that are written (.html, .sarif, .xml)
"""

import json
import os
import subprocess
from pathlib import Path

NO_COMMIT = "0" * 40


def base_of(event: dict) -> str | None:
    """Return the commit to compare with: the base of the pull request or merge group, or the commit before a push."""
    pull, group = event.get("pull_request") or {}, event.get("merge_group") or {}
    found = (pull.get("base") or {}).get("sha") or group.get("base_sha") or event.get("before")
    return found if found and found != NO_COMMIT else None


def git(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run git, and return the result."""
    return subprocess.run(["git", *arguments], capture_output=True, text=True, check=False)


def command(base: str, report: str) -> list[str]:
    """Return the command that compares: with annotations in the log, reports in files, and the job's summary."""
    words = ["planguard", "diff", "--git", base, "--allow-empty-base", "--format", "github"]
    words += [part for suffix in (".html", ".sarif", ".xml") for part in ("-o", f"{report}{suffix}")]
    words += [part for name in os.environ.get("PLANGUARD_CONTRACT", "").split() for part in ("--contract", name)]
    words += ["--fail-on", os.environ.get("PLANGUARD_FAIL_ON") or "new,weakened"]
    baseline = os.environ.get("PLANGUARD_BASELINE")
    return [*words, *(["--baseline", baseline] if baseline and Path(baseline).is_file() else [])]


def main() -> int:
    """Return 0 if the gate passes, 1 if it fails, 2 and 3 as `planguard diff` does.

    If the base has no cassettes, the gate passes: this is the first pull request. If only the pull request has none, it
    fails.
    """
    path = os.environ.get("GITHUB_EVENT_PATH")
    event = json.loads(Path(path).read_text(encoding="utf-8")) if path else {}
    base = os.environ.get("PLANGUARD_BASE") or base_of(event)
    if base is None:
        print("::notice title=planguard::this event names no commit to compare with, so nothing was gated")
        return 0
    if git("cat-file", "-e", f"{base}^{{commit}}").returncode and git("fetch", "--depth=1", "origin", base).returncode:
        print("::error title=planguard::the base commit could not be fetched: check out with fetch-depth 0")
        return 2
    report = os.environ.get("PLANGUARD_REPORT") or "planguard"
    return subprocess.run(command(base, report), check=False).returncode


if __name__ == "__main__":
    raise SystemExit(main())
