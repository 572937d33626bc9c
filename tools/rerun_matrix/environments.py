"""Make the environments of `make reruns`: all plugins that it tries, with the newest and the lowest pytest."""

from __future__ import annotations

import sys
from pathlib import Path

from ..environments import ROOT, environment

PLUGINS = (
    *("pytest-asyncio", "anyio", "pytest-xdist", "pytest-cov", "pytest-recording", "pytest-rerunfailures"),
    *("pytest-timeout", "pytest-randomly", "pytest-django", "django", "inline-snapshot", "pytest-socket", "numpy"),
    *("httpx2", "openai"),
)
LOWEST = ("pytest==8.2.0", "pytest-subtests")
"""From pytest 9 on subtests are built in."""

if __name__ == "__main__":
    for name in sys.argv[1:]:  # folders; one whose name ends in "lowest" gets the lowest pytest
        chosen = LOWEST if name.endswith("lowest") else ("pytest",)
        environment(Path(name), "--editable", f"{ROOT}[all]", *PLUGINS, *chosen)
