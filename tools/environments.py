"""Virtual environments of tools, each made once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def environment(folder: Path, *packages: str, python: str = sys.executable, bare: tuple[str, ...] = ()) -> Path:
    """Return the Python of an environment with packages, and with `bare` ones without what these require.

    It is made on first use. An installation that fails leaves a folder, which must be removed by hand.
    """
    made = folder / "bin" / "python"
    if not made.exists():
        subprocess.run([python, "-m", "venv", folder], check=True)
        pip = [made, "-m", "pip", "install", "--quiet"]
        subprocess.run([*pip, *packages], check=True)
        if bare:
            subprocess.run([*pip, "--no-deps", *bare], check=True)
    return made
