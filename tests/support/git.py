"""Run git in a test's folder. `surroundings` gives it an identity and hides the user's settings."""

import subprocess
from pathlib import Path


def git(folder: Path, *arguments: str) -> str:
    """Run git in a folder and return what it prints; a failure raises `CalledProcessError`."""
    done = subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()
