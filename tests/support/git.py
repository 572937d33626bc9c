"""git in a folder of a test, as nobody in particular and without the user's settings."""

import os
import subprocess
from pathlib import Path

NOBODY = {f"GIT_{role}_{what}": "x@y.z" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}


def git(folder: Path, *arguments: str) -> str:
    """Run git in a folder and return what it prints; a failure raises `CalledProcessError`."""
    env = {**os.environ, **NOBODY, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    done = subprocess.run(["git", *arguments], cwd=folder, env=env, check=True, capture_output=True, text=True)
    return done.stdout.strip()
