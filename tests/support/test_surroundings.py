"""A suite sees the same environment wherever it starts, even with a user's settings in the way."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

from .paths import ROOT

PROGRAM = """
import json, os, signal, subprocess, time
from tests.support.surroundings import settle
settle()
def out(command): return subprocess.run(command, shell=True, capture_output=True, text=True).stdout.strip()
print(json.dumps({
    "environment": dict(os.environ),
    "zone": time.tzname[0],
    "file mode": oct(0o666 & ~os.umask(0)),
    "author": out("git var GIT_AUTHOR_IDENT | cut -d' ' -f1,2"),
    "heeds": out("trap 'echo INT' INT; trap 'echo HUP' HUP; kill -INT $$; kill -HUP $$"),
}))
"""
USER = {
    "OPENAI_API_KEY": "k", "anthropic_base_url": "u", "HTTPS_PROXY": "p", "NO_COLOR": "1", "FORCE_COLOR": "1",
    "COLUMNS": "33", "GITHUB_STEP_SUMMARY": "s", "GIT_DIR": "/nowhere", "XDG_CONFIG_HOME": "x", "LC_ALL": "de_DE",
}  # fmt: skip


def _ignore() -> None:
    """Ignore the signals that `nohup` and a background shell ignore."""
    os.umask(0o077)
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


def test_the_surroundings_are_the_same_everywhere(tmp_path: Path) -> None:
    """A test sees neither the user's variables and home nor the signals that the shell ignores."""
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "TZ": "Asia/Tokyo", "CI": "true", **USER}
    (tmp_path / ".gitconfig").write_text("[user]\nname = Somebody\nemail = s@b.c\n")
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(command, cwd=ROOT, env=env, preexec_fn=_ignore, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    environment = found.pop("environment")
    assert found == {"zone": "UTC", "file mode": "0o644", "author": "A Tester", "heeds": "INT\nHUP"}
    assert not set(USER) & set(environment)
    assert (environment["CI"], environment["LANG"]) == ("true", "C.UTF-8")
    assert environment["HOME"] != str(tmp_path)
    assert not Path(environment["HOME"]).exists(), "a home lasts as long as its process"
