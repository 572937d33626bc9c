"""Make the environments of `make reruns`: all plugins that it tries, with the newest and the lowest pytest."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

PLUGINS = (
    *("pytest-asyncio", "anyio", "pytest-xdist", "pytest-cov", "pytest-recording", "pytest-rerunfailures"),
    *("pytest-timeout", "pytest-randomly", "pytest-django", "django", "inline-snapshot", "pytest-socket", "numpy"),
    *("httpx2", "openai"),
)
LOWEST = ("pytest==8.2.0", "pytest-subtests")
"""From pytest 9 on subtests are built in."""


def main() -> None:
    """Make the folders named on the command line; one whose name ends in "lowest" gets the lowest pytest."""
    for name in sys.argv[1:]:
        folder = Path(name)
        if not (folder / ".installed").exists():
            venv.create(folder, with_pip=True)
            more = LOWEST if name.endswith("lowest") else ("pytest",)
            command = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", "--editable", ".[all]"]
            subprocess.run([*command, *PLUGINS, *more], check=True)
            (folder / ".installed").touch()


if __name__ == "__main__":
    main()
