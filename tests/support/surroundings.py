"""The environment of every test: home, identity, locale, time zone, umask and signals, without the user's settings.

A suite may run on a laptop, in a container without a git identity, or in the background of a script.
"""

from __future__ import annotations

import atexit
import os
import re
import shutil
import signal
import tempfile
import time
from typing import Any

_USER = re.compile(
    # Keys and endpoints of models, and proxies on the way to them: a test would send to them.
    r"(?:OPENAI|ANTHROPIC|AZURE|AWS|GEMINI|GOOGLE|MISTRAL|COHERE|GROQ|OLLAMA|OPENROUTER)_.*|(?:https?|all|no)_proxy|"
    # How output looks, and who reads it: `NO_COLOR`, `COLUMNS`, `GITHUB_STEP_SUMMARY`. `CI` itself stays: there
    # Hypothesis draws the same examples in each run, in this process and in the workers.
    r"(?:NO|PY|FORCE|CLI)_?COLORS?(?:_FORCE)?|COLUMNS|LINES|(?:GITHUB|GITLAB|CI|PLANGUARD)_.*|"
    # Where programs find settings: `GIT_DIR`, `XDG_CONFIG_HOME`, `LC_ALL`.
    r"(?:GIT|XDG|LC)_.*|LANGUAGE|EDITOR|VISUAL|PAGER|PYTHONWARNINGS|PYTHONPATH",
    re.IGNORECASE,
)
"""Variables of the user that would change what a test sees."""

_OWN = {
    "LANG": "C.UTF-8",
    "TZ": "UTC",
    "TERM": "xterm-256color",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_AUTHOR_NAME": "A Tester",
    "GIT_AUTHOR_EMAIL": "tester@example.com",
    "GIT_COMMITTER_NAME": "A Tester",
    "GIT_COMMITTER_EMAIL": "tester@example.com",
}


def settle() -> None:
    """Give this process and its children the same environment on every machine."""
    for name in [name for name in os.environ if _USER.fullmatch(name)]:
        del os.environ[name]
    home = tempfile.mkdtemp(prefix="home-")
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    os.environ.update(_OWN, HOME=home)
    if hasattr(time, "tzset"):  # not on Windows
        time.tzset()
    os.umask(0o022)
    _heed_signals()


def _heed_signals() -> None:
    """Let children heed the signals that the shell made this process ignore, under `nohup` or in the background.

    A program inherits ignored signals, and a shell cannot even trap them. A signal with a handler is reset in a child.
    """
    for name in ("SIGINT", "SIGQUIT", "SIGHUP"):
        number: Any = getattr(signal, name, None)  # Windows has only the first
        if number is not None and signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, _pass_over)


def _pass_over(*_: object) -> None:
    """Continue, as if the signal were ignored."""
